// examples: compressed frames in, pictures and their digest out (libavcodec)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

struct AVCodecContext;
struct AVFrame;
struct AVPacket;
struct AVSHA;

namespace video {

class Decoder {
  public:
    using Show = std::function<void(const AVFrame &)>;

    explicit Decoder(Show show);
    ~Decoder();

    bool ready() const { return codec_ != nullptr; }
    // False: libavcodec calls it damaged.
    bool decode(std::span<const std::uint8_t> frame);
    // After the last frame: those the decoder still holds.
    void finish();

    std::uint64_t pictures() const { return pictures_; }
    std::string digest();  // SHA-256 of all pictures' planes; once

  private:
    void take_pictures();

    Show show_;
    AVCodecContext *codec_ = nullptr;
    AVFrame *picture_ = nullptr;
    AVPacket *packet_ = nullptr;
    AVSHA *sha_ = nullptr;
    std::uint64_t pictures_ = 0;
};

}  // namespace video
