// -*-c++-*-
// A resolver that speaks a small protocol over datagrams: what it declares.
#ifndef RESOLVER_H
#define RESOLVER_H 1

#include "tame.h"
#include <map>
#include <stdint.h>
#include <string>
#include <sys/types.h>
#include <vector>

typedef std::string str;
typedef event<int, uint32_t>::ref answer_ev_t;

enum { RC_OK = 0, RC_NXDOMAIN = 3, RC_TIMEOUT = 100 };

// One datagram: an id, a code (0 in a query), an address (0 in a query), a name.
struct packet_t {
    packet_t() : id(0), code(0), addr(0) {}
    uint16_t id;
    uint8_t code;
    uint32_t addr;
    str name;

    str encode() const;
    bool decode(const char *buf, size_t n);
};

// Answers after a while; what begins with "lost" only when it is asked again.
class server_t {
  public:
    explicit server_t(int fd) : _fd(fd), _n_queries(0) {}
    void run(CLOSURE);
    int n_queries() const { return _n_queries; }

  private:
    void serve(packet_t q, CLOSURE);
    int _fd;
    int _n_queries;
    std::map<str, int> _asked;
};

class resolver_t {
  public:
    explicit resolver_t(int fd) : _fd(fd), _next_id(1), _n_cached(0) {}
    virtual ~resolver_t() {}
    void run(CLOSURE);
    virtual void resolve(str name, answer_ev_t ev, CLOSURE);
    int n_cached() const { return _n_cached; }

  protected:
    void ask(str name, int msec, event<bool, int, uint32_t>::ref ev, CLOSURE);
    void send(const packet_t &p, evb_t ev, CLOSURE);

  private:
    struct entry_t {
        entry_t() : done(false), code(0), addr(0) {}
        bool done;
        int code;
        uint32_t addr;
        std::vector<event<>::ptr> waiters;
    };

    int _fd;
    uint16_t _next_id;
    int _n_cached;
    std::map<str, entry_t> _cache;
    std::map<uint16_t, event<int, uint32_t>::ptr> _asked;
};

// Tells what it is asked.
class loud_resolver_t : public resolver_t {
  public:
    explicit loud_resolver_t(int fd) : resolver_t(fd) {}
    void resolve(str name, answer_ev_t ev, CLOSURE);
};

#endif /* RESOLVER_H */
