// examples: a clip out of a file
#include "video/clip.h"

extern "C" {
#include <libavformat/avformat.h>
}

namespace video {
namespace {

std::string words(int error) {
    char text[AV_ERROR_MAX_STRING_SIZE] = {};
    av_strerror(error, text, sizeof text);
    return text;
}

}  // namespace

void Clip::CloseFormat::operator()(AVFormatContext *format) const { avformat_close_input(&format); }
void Clip::FreePacket::operator()(AVPacket *packet) const { av_packet_free(&packet); }

std::optional<Clip> Clip::open(const std::string &path, std::string &why) {
    AVFormatContext *format = nullptr;
    const int error = avformat_open_input(&format, path.c_str(), nullptr, nullptr);
    if (error < 0) {
        why = words(error);
        return std::nullopt;
    }
    Clip clip;
    clip.format_.reset(format);
    clip.packet_.reset(av_packet_alloc());
    for (unsigned i = 0; i < format->nb_streams && clip.stream_ < 0; ++i) {
        if (format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
            clip.stream_ = static_cast<int>(i);
        }
    }
    if (clip.stream_ < 0 || format->streams[clip.stream_]->codecpar->codec_id != AV_CODEC_ID_H263) {
        why = "it has no H.263 video in it; examples/video/get-clip makes one that has";
        return std::nullopt;
    }
    return clip;
}

std::optional<std::span<const std::uint8_t>> Clip::next() {
    do {
        av_packet_unref(packet_.get());
        if (av_read_frame(format_.get(), packet_.get()) < 0) {
            return std::nullopt;
        }
    } while (packet_->stream_index != stream_);
    return std::span<const std::uint8_t>(packet_->data, static_cast<std::size_t>(packet_->size));
}

}  // namespace video
