// examples: shows pictures in a window, where there is a display (SDL2)
#pragma once

struct AVFrame;
struct SDL_Renderer;
struct SDL_Texture;
struct SDL_Window;

namespace video {

class Screen {
  public:
    Screen();  // without a display, or when SDL finds none: shows nothing
    ~Screen();
    Screen(const Screen &) = delete;
    Screen &operator=(const Screen &) = delete;

    void show(const AVFrame &picture);

  private:
    SDL_Window *window_ = nullptr;
    SDL_Renderer *renderer_ = nullptr;
    SDL_Texture *texture_ = nullptr;
};

}  // namespace video
