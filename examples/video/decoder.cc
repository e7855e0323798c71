// examples: decode H.263 and digest what comes out
#include "video/decoder.h"

#include <algorithm>
#include <utility>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/sha.h>
}

namespace video {

Decoder::Decoder(Show show) : show_(std::move(show)) {
    const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_H263);
    codec_ = codec ? avcodec_alloc_context3(codec) : nullptr;
    if (codec_) {
        codec_->thread_count = 1;
        codec_->flags |= AV_CODEC_FLAG_BITEXACT;  // the same digest on every processor
        if (avcodec_open2(codec_, codec, nullptr) < 0) {
            avcodec_free_context(&codec_);
        }
    }
    picture_ = av_frame_alloc();
    packet_ = av_packet_alloc();
    sha_ = av_sha_alloc();
    av_sha_init(sha_, 256);
}

Decoder::~Decoder() {
    av_free(sha_);
    av_packet_free(&packet_);
    av_frame_free(&picture_);
    avcodec_free_context(&codec_);
}

bool Decoder::decode(std::span<const std::uint8_t> frame) {
    if (av_new_packet(packet_, static_cast<int>(frame.size())) < 0) {
        return false;
    }
    std::copy(frame.begin(), frame.end(), packet_->data);
    const bool taken = avcodec_send_packet(codec_, packet_) >= 0;
    av_packet_unref(packet_);
    take_pictures();
    return taken;
}

void Decoder::finish() {
    avcodec_send_packet(codec_, nullptr);
    take_pictures();
}

void Decoder::take_pictures() {
    while (avcodec_receive_frame(codec_, picture_) >= 0) {
        ++pictures_;
        for (int plane = 0; plane < 3; ++plane) {
            const int half = plane == 0 ? 0 : 1;  // 4:2:0, the only form H.263 has
            const int width = (picture_->width + half) >> half;
            const int height = (picture_->height + half) >> half;
            for (int line = 0; line < height; ++line) {
                av_sha_update(sha_, picture_->data[plane] + line * picture_->linesize[plane],
                              static_cast<std::size_t>(width));
            }
        }
        show_(*picture_);
    }
}

std::string Decoder::digest() {
    std::uint8_t bytes[32];
    av_sha_final(sha_, bytes);
    std::string text;
    for (std::uint8_t byte : bytes) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

}  // namespace video
