// examples: a clip: compressed frames one after the other, out of a file (libavformat)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct AVFormatContext;
struct AVPacket;

namespace video {

class Clip {
  public:
    // Nothing if the file is no video that libavformat reads; `why` says what it said.
    static std::optional<Clip> open(const std::string &path, std::string &why);

    // The next frame, compressed, valid until the next call; nothing at the end.
    std::optional<std::span<const std::uint8_t>> next();

  private:
    struct CloseFormat {
        void operator()(AVFormatContext *format) const;
    };
    struct FreePacket {
        void operator()(AVPacket *packet) const;
    };
    std::unique_ptr<AVFormatContext, CloseFormat> format_;
    std::unique_ptr<AVPacket, FreePacket> packet_;
    int stream_ = -1;
};

}  // namespace video
