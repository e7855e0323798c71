// benchmarks: signals of Qt 5 or 6; moc reads this file.
#pragma once

#include <cstddef>

#include <QObject>

#include "segment.h"

class Emitter : public QObject {
    Q_OBJECT
  Q_SIGNALS:
    void segment_came(Segment &segment);
};

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        QObject::connect(&emitter_, &Emitter::segment_came, [state](Segment &segment) { handler(*state, segment); });
    }
    void raise(Segment &segment) { Q_EMIT emitter_.segment_came(segment); }

  private:
    Emitter emitter_;
};
