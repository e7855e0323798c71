// io: what a loop does its input and output with: io_uring, or epoll.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>

#include <thalweg/tame/file.h>
#include <thalweg/tame/io.h>
#include <thalweg/tame/loop_part.h>

#include "ring.h"

namespace thalweg::io {

class Io;
class Lent;

// A stream, a listener or what is done with a file, known to its loop's input and output.
template <class Body>
class Member : public Body {
  public:
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;
    // The kernel has nothing of it any more, and whoever waits is told that it was cancelled. It is no member from here on.
    virtual void loop_goes() noexcept = 0;
    // Some function does. Of a stream: to receive.
    virtual bool is_waited_for() const noexcept {
        if constexpr (std::is_same_v<Body, tame::detail::StreamBody>)
            return this->phase_ == Body::waiting;
        return false;
    }
    const Member *next() const { return next_; }

  protected:
    template <class... Given>
    explicit Member(Io &io, Given... given);
    ~Member() { leave(); }
    void leave() {
        if (!link_)
            return;
        *link_ = next_;
        if (next_)
            next_->link_ = link_;
        link_ = nullptr;
    }

  private:
    Member *next_;
    Member **link_;  // what points here; null: no member
};

// Of each loop, made when its first stream, listener or file is.
class Io {
  public:
    explicit Io(thalweg_loop *loop);
    Io(const Io &) = delete;
    Io &operator=(const Io &) = delete;
    ~Io();

    static Io &here() { return tame::detail::LoopPart<Io>::of(tame::detail::loop_here()); }

    // Some function waits for one of its streams or listeners. What is only open brings nothing by itself. Of what epoll's streams send it
    // is not known: one that is open may be sending.
    bool is_waiting() const;

    thalweg_loop *loop() const { return loop_; }
    Ring *ring() const { return ring_.get(); }  // null: epoll

    // What its streams receive into, under epoll.
    Lent &lent() { return *lent_; }

  private:
    template <class Body>
    friend class Member;
    std::tuple<Member<tame::detail::StreamBody> *, Member<tame::detail::ListenerBody> *,
               Member<tame::detail::FileCall> *>
        members_;
    thalweg_loop *loop_;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<Lent> lent_;
};

template <class Body>
template <class... Given>
Member<Body>::Member(Io &io, Given... given)
    : Body(given...), next_(std::get<Member *>(io.members_)), link_(&std::get<Member *>(io.members_)) {
    if (next_)
        next_->link_ = &next_;
    *link_ = this;
}

}  // namespace thalweg::io
