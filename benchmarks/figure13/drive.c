// benchmarks: the user of an X program. Sends it events by the XTest extension, and waits until the program has shown what follows.
//
// Prints "ready" when the program's window is there, then executes one command a line from its standard input, and answers each with one line:
//   popup COUNT   opens and closes the menu so many times; "popup OPENED CLOSED"
//   open, close   one half of that; "open", "close"
//   picture       "picture DIGEST" of the whole screen
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A program that needs longer for one event has failed; valgrind makes it some fifty times as slow.
#define LONGEST_WAIT_MS 60000
// Inside of the program's window, which the server puts into the screen's corner.
#define POINTER_X 100
#define POINTER_Y 100
#define MENU_BUTTON 1

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

static Bool has_visible_window(void) {
    Window parent, *children = NULL;
    unsigned count = 0;
    Bool found = False;
    if (!XQueryTree(display, root, &root, &parent, &children, &count)) {
        return False;
    }
    for (unsigned i = 0; i < count && !found; ++i) {
        XWindowAttributes attributes;
        found = XGetWindowAttributes(display, children[i], &attributes) && attributes.map_state == IsViewable;
    }
    XFree(children);
    return found;
}

static void open_menu(void) {
    XTestFakeKeyEvent(display, control, True, CurrentTime);
    XTestFakeButtonEvent(display, MENU_BUTTON, True, CurrentTime);
    wait_for(MapNotify);
}

static void close_menu(void) {
    XTestFakeButtonEvent(display, MENU_BUTTON, False, CurrentTime);
    XTestFakeKeyEvent(display, control, False, CurrentTime);
    wait_for(UnmapNotify);
}

static void popup(int count) {
    int opened = 0, closed = 0;
    while (closed < count) {
        open_menu();
        ++opened;
        close_menu();
        ++closed;
    }
    printf("popup %d %d\n", opened, closed);
}

static void picture(void) {
    XWindowAttributes screen;
    XGetWindowAttributes(display, root, &screen);
    XImage *image = XGetImage(display, root, 0, 0, screen.width, screen.height, AllPlanes, ZPixmap);
    if (image == NULL) {
        fail("no picture of the screen");
    }
    uint64_t digest = FNV_OFFSET;
    size_t size = (size_t)image->bytes_per_line * image->height;
    for (size_t i = 0; i < size; ++i) {
        digest = (digest ^ (unsigned char)image->data[i]) * FNV_PRIME;
    }
    XDestroyImage(image);
    printf("picture %016lx\n", digest);
}

static void execute(const char *command) {
    int count = 0;
    if (sscanf(command, "popup %d", &count) == 1) {
        popup(count);
    } else if (strcmp(command, "open\n") == 0) {
        open_menu();
        puts("open");
    } else if (strcmp(command, "close\n") == 0) {
        close_menu();
        puts("close");
    } else if (strcmp(command, "picture\n") == 0) {
        picture();
    } else {
        fail("unknown command");
    }
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
    while (!has_visible_window()) {
        next_event(&event);
    }
    XTestFakeMotionEvent(display, -1, POINTER_X, POINTER_Y, CurrentTime);
    XSync(display, False);
    puts("ready");
    while (fgets(command, sizeof command, stdin) != NULL) {
        execute(command);
    }
    return 0;
}
