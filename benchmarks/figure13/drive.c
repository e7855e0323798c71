// benchmarks: the user of an X program. Sends it events by the XTest extension, and waits until the program has shown what follows.
//
// Prints "ready" when the program's window is there and has been drawn, then executes one command a line from its standard input, and answers each with one line:
//   popup COUNT   opens and closes the menu so many times; "popup COUNT"
//   scroll COUNT  moves the text one line on and back so many times, by the scrollbar's arrows; "scroll COUNT"
//   begin NAME    the first half of popup or scroll; "begin"
//   end NAME      the second half; "end"
//   picture       "picture DIGEST" of the whole screen
//   quit          asks the program's window to close, as a window manager does; "quit"
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A program that needs longer for one event has failed; valgrind makes it some fifty times as slow.
// A tool may link another program before it starts the one that has a window.
#define LONGEST_WAIT_MS 600000
// Inside of the program's window, which the server puts into the screen's corner.
#define POINTER_X 100
#define POINTER_Y 100
#define BUTTON 1

// A scrollbar is so many times as high as it is wide.
#define SLENDER 8
// Where lines of text begin, left of the scrollbar and below its upper end.
#define TEXT_X 0
#define TEXT_Y 100
#define TEXT_WIDTH 60
#define TEXT_HEIGHT 60
#define LOOK_AGAIN_NS 200000
// What has been drawn stays as it is so long.
#define STILL_NS 500000000

#define FNV_OFFSET 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

static Display *display;
static Window root;
static KeyCode control;

static void fail(const char *problem) {
    fprintf(stderr, "drive: %s\n", problem);
    exit(1);
}

static void next_event(XEvent *event) {
    struct pollfd connection = {ConnectionNumber(display), POLLIN, 0};
    while (XPending(display) == 0) {
        if (poll(&connection, 1, LONGEST_WAIT_MS) <= 0) {
            fail("the program did not answer an event");
        }
    }
    XNextEvent(display, event);
}

// A menu is a window that no window manager is asked about; the program's own window is not.
static Bool is_menu(Window window) {
    XWindowAttributes attributes;
    return XGetWindowAttributes(display, window, &attributes) && attributes.override_redirect;
}

static void wait_for(int type) {
    XEvent event;
    do {
        next_event(&event);
    } while (event.type != type || !is_menu(type == MapNotify ? event.xmap.window : event.xunmap.window));
}

// Calls `found` for each child until it says that this is the one. None: it never does.
static Window child_of(Window parent, Bool (*found)(Window)) {
    Window above, *children = NULL, first = None;
    unsigned count = 0;
    if (!XQueryTree(display, parent, &root, &above, &children, &count)) {
        return None;
    }
    for (unsigned i = 0; i < count && first == None; ++i) {
        first = found(children[i]) ? children[i] : None;
    }
    XFree(children);
    return first;
}

static Bool is_visible(Window window) {
    XWindowAttributes attributes;
    return XGetWindowAttributes(display, window, &attributes) && attributes.map_state == IsViewable;
}

static Bool is_scrollbar(Window window) {
    XWindowAttributes attributes;
    return XGetWindowAttributes(display, window, &attributes) && attributes.map_state == IsViewable &&
           attributes.height > SLENDER * attributes.width;
}

static Bool holds_scrollbar(Window window) { return is_scrollbar(window) || child_of(window, holds_scrollbar) != None; }

static uint64_t digest_of(int x, int y, int width, int height) {
    XImage *image = XGetImage(display, root, x, y, (unsigned)width, (unsigned)height, AllPlanes, ZPixmap);
    if (image == NULL) {
        fail("no picture of the screen");
    }
    uint64_t digest = FNV_OFFSET;
    size_t size = (size_t)image->bytes_per_line * image->height;
    for (size_t i = 0; i < size; ++i) {
        digest = (digest ^ (unsigned char)image->data[i]) * FNV_PRIME;
    }
    XDestroyImage(image);
    return digest;
}

static void sleep_a_little(void) {
    const struct timespec little = {0, LOOK_AGAIN_NS};
    nanosleep(&little, NULL);
}

static uint64_t digest_of_screen(void) {
    XWindowAttributes screen;
    XGetWindowAttributes(display, root, &screen);
    return digest_of(0, 0, screen.width, screen.height);
}

static void wait_until_still(void) {
    uint64_t last = digest_of_screen();
    for (long still = 0; still < STILL_NS; still += LOOK_AGAIN_NS) {
        sleep_a_little();
        const uint64_t now = digest_of_screen();
        still = now == last ? still : 0;
        last = now;
    }
}

// The place of the program's vertical scrollbar on the screen.
static XRectangle scrollbar(void) {
    Window window = root, child;
    for (long waited = 0; !holds_scrollbar(root); waited += LOOK_AGAIN_NS) {
        if (waited / 1000000 > LONGEST_WAIT_MS) {
            fail("the program shows no scrollbar");
        }
        sleep_a_little();
    }
    while (window == root || !is_scrollbar(window)) {
        window = child_of(window, holds_scrollbar);
    }
    XWindowAttributes bar;
    int x, y;
    XGetWindowAttributes(display, window, &bar);
    XTranslateCoordinates(display, window, root, 0, 0, &x, &y, &child);
    return (XRectangle){(short)x, (short)y, (unsigned short)bar.width, (unsigned short)bar.height};
}

// An arrow is a square at the scrollbar's end.
static void click_arrow(Bool lower) {
    const XRectangle bar = scrollbar();
    const int middle = bar.width / 2;
    const int y = bar.y + (lower ? bar.height - middle : middle);
    const uint64_t before = digest_of(TEXT_X, bar.y + TEXT_Y, TEXT_WIDTH, TEXT_HEIGHT);
    XTestFakeMotionEvent(display, -1, bar.x + middle, y, CurrentTime);
    XTestFakeButtonEvent(display, BUTTON, True, CurrentTime);
    XTestFakeButtonEvent(display, BUTTON, False, CurrentTime);
    for (long waited = 0; digest_of(TEXT_X, bar.y + TEXT_Y, TEXT_WIDTH, TEXT_HEIGHT) == before;
         waited += LOOK_AGAIN_NS) {
        if (waited / 1000000 > LONGEST_WAIT_MS) {
            fail("the program did not move its text");
        }
        sleep_a_little();
    }
}

static void scroll_on(void) { click_arrow(True); }

static void scroll_back(void) { click_arrow(False); }

static void open_menu(void) {
    XTestFakeKeyEvent(display, control, True, CurrentTime);
    XTestFakeButtonEvent(display, BUTTON, True, CurrentTime);
    wait_for(MapNotify);
}

static void close_menu(void) {
    XTestFakeButtonEvent(display, BUTTON, False, CurrentTime);
    XTestFakeKeyEvent(display, control, False, CurrentTime);
    wait_for(UnmapNotify);
}

struct gesture {
    const char *name;
    void (*begin)(void);
    void (*end)(void);
};

static const struct gesture gestures[] = {{"popup", open_menu, close_menu}, {"scroll", scroll_on, scroll_back}};

static const struct gesture *gesture_named(const char *name) {
    for (size_t i = 0; i < sizeof gestures / sizeof gestures[0]; ++i) {
        if (strcmp(gestures[i].name, name) == 0) {
            return &gestures[i];
        }
    }
    fail("unknown command");
    return NULL;
}

static void quit(void) {
    XEvent event = {.xclient = {.type = ClientMessage, .window = child_of(root, is_visible), .format = 32}};
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
    event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
    event.xclient.data.l[1] = CurrentTime;
    XSendEvent(display, event.xclient.window, False, NoEventMask, &event);
    XSync(display, False);
}

static void repeat(const struct gesture *gesture, int count) {
    for (int i = 0; i < count; ++i) {
        gesture->begin();
        gesture->end();
    }
    printf("%s %d\n", gesture->name, count);
}

static void execute(const char *command) {
    char first[16] = "", second[16] = "";
    sscanf(command, "%15s %15s", first, second);
    if (strcmp(first, "begin") == 0) {
        gesture_named(second)->begin();
    } else if (strcmp(first, "end") == 0) {
        gesture_named(second)->end();
    } else if (strcmp(first, "picture") == 0) {
        printf("picture %016lx\n", digest_of_screen());
        return;
    } else if (strcmp(first, "quit") == 0) {
        quit();
    } else {
        repeat(gesture_named(first), atoi(second));
        return;
    }
    puts(first);
}

int main(void) {
    XEvent event;
    char command[64];
    display = XOpenDisplay(NULL);
    if (display == NULL) {
        fail("no X server");
    }
    root = DefaultRootWindow(display);
    control = XKeysymToKeycode(display, XK_Control_L);
    setvbuf(stdout, NULL, _IOLBF, 0);
    XSelectInput(display, root, SubstructureNotifyMask);
    while (child_of(root, is_visible) == None) {
        next_event(&event);
    }
    XTestFakeMotionEvent(display, -1, POINTER_X, POINTER_Y, CurrentTime);
    wait_until_still();
    puts("ready");
    while (fgets(command, sizeof command, stdin) != NULL) {
        execute(command);
    }
    return 0;
}
