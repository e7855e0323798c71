// examples: a window with SDL2
#include "video/screen.h"

#include <SDL2/SDL.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
#include <libavutil/frame.h>
}

namespace video {
namespace {

constexpr int kWidth = 176;  // QCIF; the window is three times as large
constexpr int kHeight = 144;
constexpr int kScale = 3;

bool is_set(const char *name) {
    const char *value = std::getenv(name);
    return value && *value != '\0';
}

}  // namespace

Screen::Screen() {
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
        return;
    }
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // SIGTERM ends this program as it does any other
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        std::fprintf(stderr, "video_receiver: no picture: %s\n", SDL_GetError());
        return;
    }
    window_ = SDL_CreateWindow("video over CTP", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kScale * kWidth,
                               kScale * kHeight, SDL_WINDOW_RESIZABLE);
    renderer_ = window_ ? SDL_CreateRenderer(window_, -1, 0) : nullptr;
    texture_ = renderer_
                   ? SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_IYUV, SDL_TEXTUREACCESS_STREAMING, kWidth, kHeight)
                   : nullptr;
    if (!texture_) {
        std::fprintf(stderr, "video_receiver: no picture: %s\n", SDL_GetError());
    }
}

Screen::~Screen() {
    if (texture_) {
        SDL_DestroyTexture(texture_);
    }
    if (renderer_) {
        SDL_DestroyRenderer(renderer_);
    }
    if (window_) {
        SDL_DestroyWindow(window_);
        SDL_Quit();
    }
}

void Screen::show(const AVFrame &picture) {
    if (!texture_ || picture.width != kWidth || picture.height != kHeight) {
        return;
    }
    SDL_Event event;
    while (SDL_PollEvent(&event)) {  // the window system wants to be heard; closing the window changes nothing
    }
    SDL_UpdateYUVTexture(texture_, nullptr, picture.data[0], picture.linesize[0], picture.data[1], picture.linesize[1],
                         picture.data[2], picture.linesize[2]);
    SDL_RenderCopy(renderer_, texture_, nullptr, nullptr);
    SDL_RenderPresent(renderer_);
}

}  // namespace video
