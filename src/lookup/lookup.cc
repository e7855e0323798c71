// lookup: c-ares in a thread's loop: its sockets are descriptors there, its time limits one timer.
#include <ares.h>
#include <arpa/inet.h>
#include <climits>
#include <list>
#include <map>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <utility>

#include <thalweg/runtime.h>
#include <thalweg/tame/lookup.h>
#include <thalweg/tame/loop_part.h>

namespace THALWEG_TAME {

namespace {

// c-ares gives times in whole ms, rounded down: a timer that comes a little too early comes twice.
constexpr uint64_t ns_per_ms = 1'000'000, ms_per_s = 1000, us_per_ms = 1000;

void check(int status, const std::string &what) {
    if (status != ARES_SUCCESS)
        throw std::system_error(status, lookup_category(), what);
}

void check(const resolver_options &options) {
    if (options.timeout.count() < 1 || options.timeout.count() > INT_MAX || options.tries < 1 || options.at_once < 1)
        throw std::system_error(EINVAL, std::generic_category(),
                                "a resolver's timeout is " + std::to_string(options.timeout.count()) +
                                    " ms, its tries are " + std::to_string(options.tries) + ", its look-ups at once " +
                                    std::to_string(options.at_once) + "; each is at least 1");
}

std::vector<address> addresses_of(const ares_addrinfo &found) {
    std::vector<address> all;
    for (const ares_addrinfo_node *node = found.nodes; node; node = node->ai_next) {
        if (node->ai_family == AF_INET)
            all.emplace_back(AF_INET, &reinterpret_cast<const sockaddr_in *>(node->ai_addr)->sin_addr);
        else if (node->ai_family == AF_INET6)
            all.emplace_back(AF_INET6, &reinterpret_cast<const sockaddr_in6 *>(node->ai_addr)->sin6_addr);
    }
    return all;
}

}  // namespace

namespace detail {

// A loop's resolvers, to be told when it goes.
class Resolvers {
  public:
    explicit Resolvers(thalweg_loop *) {}
    Resolvers(const Resolvers &) = delete;
    Resolvers &operator=(const Resolvers &) = delete;
    ~Resolvers();

    bool is_waiting() const { return false; }  // while look-ups are under way there is a timer

    std::list<ResolverBody *> all;
};

// c-ares calls back in the middle of its own work: what it tells is kept until that is over (deliver), so that whatever is triggered may
// look up more, cancel others, or drop the resolver.
class ResolverBody final : thalweg_task {
  public:
    explicit ResolverBody(const resolver_options &options);
    ResolverBody(const ResolverBody &) = delete;
    ResolverBody &operator=(const ResolverBody &) = delete;

    void begin(const std::string &name, event<looked_up> found, int family);
    // Its owner has no more use for it.
    void dismiss() noexcept {
        is_dropped_ = true;
        end();
    }
    void loop_goes() noexcept { end(); }

  private:
    struct Lookup final : source {
        ResolverBody &body;
        event<looked_up> found;
        std::string name;
        int family;
        looked_up result;
        std::list<Lookup> *list = nullptr;  // where it is, of the body's
        std::list<Lookup>::iterator place;

        Lookup(ResolverBody &of, event<looked_up> due, std::string asked, int wanted)
            : body(of), found(std::move(due)), name(std::move(asked)), family(wanted) {
            found.set_source(*this);
        }
        Lookup(const Lookup &) = delete;
        Lookup &operator=(const Lookup &) = delete;
        ~Lookup() { found.forget_source(); }
        void cancelled() noexcept override { body.forget(*this); }
    };
    struct Socket : thalweg_descriptor {
        ResolverBody &body;
        int fd;
        Socket(ResolverBody &of, int number)
            : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t events) {
                  const auto &socket = *static_cast<Socket *>(self);
                  socket.body.process(socket.fd, events);
              }},
              body(of), fd(number) {}
    };
    using Lookups = std::list<Lookup>;

    ~ResolverBody() = default;
    void end() noexcept;
    void leave_loop() noexcept;
    void ask(Lookup &lookup);
    void ask_more();
    void have_answer(Lookup &lookup, int status, const ares_addrinfo *answer) noexcept;
    void forget(Lookup &lookup) noexcept;
    void process(int fd, uint32_t events) noexcept;
    void settle() noexcept;
    void set_timer() noexcept;
    void stop_timer() noexcept;
    void deliver() noexcept;
    void socket_changes(int fd, bool is_read, bool is_written) noexcept;
    static void move(Lookup &lookup, Lookups &to) {
        to.splice(to.end(), *lookup.list, lookup.place);
        lookup.list = &to;
    }

    thalweg_loop *loop_;  // null: it is gone
    Resolvers &resolvers_;
    std::list<ResolverBody *>::iterator own_place_;
    ares_channel channel_ = nullptr;
    size_t at_once_;
    std::map<int, Socket> sockets_;
    // Asked for by nobody: c-ares can only take back all of them.
    Lookups waiting_, asked_, forgotten_, done_;
    unsigned delivering_ = 0;  // how often, one inside the other: what is triggered may run the loop
    bool is_timer_set_ = false;
    bool is_dropped_ = false;
};

Resolvers::~Resolvers() {
    while (!all.empty())
        all.front()->loop_goes();
}

ResolverBody::ResolverBody(const resolver_options &options)
    : thalweg_task{}, loop_(loop_here()), resolvers_(LoopPart<Resolvers>::of(loop_)), at_once_(options.at_once) {
    run = [](thalweg_task *task) {
        auto *self = static_cast<ResolverBody *>(task);
        self->is_timer_set_ = false;
        self->process(ARES_SOCKET_BAD, 0);
    };
    drop = [](thalweg_task *task) { static_cast<ResolverBody *>(task)->is_timer_set_ = false; };
    check(options);
    ares_options given{};
    given.timeout = static_cast<int>(options.timeout.count());
    given.tries = options.tries;
    given.sock_state_cb_data = this;
    given.sock_state_cb = [](void *self, ares_socket_t fd, int is_read, int is_written) {
        static_cast<ResolverBody *>(self)->socket_changes(fd, is_read != 0, is_written != 0);
    };
    const int no_domains = options.search ? 0 : ARES_OPT_DOMAINS;
    check(
        ares_init_options(&channel_, &given, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB | no_domains),
        "a resolver can't be made");
    std::string servers;
    for (const std::string &server : options.servers)
        servers += (servers.empty() ? "" : ",") + server;
    const int status = servers.empty() ? ARES_SUCCESS : ares_set_servers_ports_csv(channel_, servers.c_str());
    if (status != ARES_SUCCESS)
        ares_destroy(channel_);
    check(status, "name servers '" + servers + "'");
    own_place_ = resolvers_.all.insert(resolvers_.all.end(), this);
}

void ResolverBody::begin(const std::string &name, event<looked_up> found, int family) {
    if (!found)
        return;
    Lookup &lookup = waiting_.emplace_back(*this, std::move(found), name, family);
    lookup.list = &waiting_;
    lookup.place = std::prev(waiting_.end());
    settle();
}

void ResolverBody::ask(Lookup &lookup) {
    if (!loop_)
        return have_answer(lookup, ARES_ECANCELLED, nullptr);
    // c-ares would look up what stands before the NUL; and the root, which has no address.
    if (lookup.name.empty() || lookup.name.find('\0') != std::string::npos)
        return have_answer(lookup, ARES_EBADNAME, nullptr);
    ares_addrinfo_hints hints{};
    // c-ares 1.18 asks the servers for the name "192.0.2.7" where both families are wanted.
    in_addr number{};
    const bool is_number = inet_pton(AF_INET, lookup.name.c_str(), &number) == 1;
    hints.ai_family = is_number && lookup.family == AF_UNSPEC ? AF_INET : lookup.family;
    hints.ai_socktype = SOCK_STREAM;
    // Where both families are wanted c-ares tries to connect a socket to each address, to see which is best.
    hints.ai_flags = lookup.family == AF_UNSPEC ? 0 : ARES_AI_NOSORT;
    const auto answered = [](void *asked, int status, int, ares_addrinfo *answer) {
        auto &own = *static_cast<Lookup *>(asked);
        own.body.have_answer(own, status, answer);
        ares_freeaddrinfo(answer);
    };
    ares_getaddrinfo(channel_, lookup.name.c_str(), nullptr, &hints, answered, &lookup);
}

void ResolverBody::ask_more() {
    while (!waiting_.empty() && asked_.size() < at_once_) {
        Lookup &next = waiting_.front();
        move(next, asked_);
        ask(next);
    }
}

void ResolverBody::have_answer(Lookup &lookup, int status, const ares_addrinfo *answer) noexcept {
    if (lookup.list == &forgotten_) {
        forgotten_.erase(lookup.place);
        return;
    }
    if (status == ARES_SUCCESS && answer)
        lookup.result.addresses = addresses_of(*answer);
    else
        lookup.result.error = {status, lookup_category()};
    move(lookup, done_);
}

void ResolverBody::forget(Lookup &lookup) noexcept {
    if (lookup.list != &asked_) {
        lookup.list->erase(lookup.place);
        return;
    }
    lookup.found = {};
    move(lookup, forgotten_);
    if (asked_.empty() && waiting_.empty())
        ares_cancel(channel_);
    settle();
}

void ResolverBody::process(int fd, uint32_t events) noexcept {
    constexpr uint32_t broken = EPOLLERR | EPOLLHUP;
    ares_process_fd(channel_, (events & (EPOLLIN | broken)) != 0 ? fd : ARES_SOCKET_BAD,
                    (events & (EPOLLOUT | broken)) != 0 ? fd : ARES_SOCKET_BAD);
    settle();
}

void ResolverBody::settle() noexcept {
    ask_more();
    set_timer();
    deliver();
}

void ResolverBody::set_timer() noexcept {
    stop_timer();
    timeval kept{};
    const timeval *left = loop_ ? ares_timeout(channel_, nullptr, &kept) : nullptr;
    if (!left)
        return;
    const uint64_t ms =
        static_cast<uint64_t>(left->tv_sec) * ms_per_s + static_cast<uint64_t>(left->tv_usec) / us_per_ms;
    is_timer_set_ = thalweg_task_put(this, (ms + 1) * ns_per_ms) != 0;
}

void ResolverBody::stop_timer() noexcept {
    if (std::exchange(is_timer_set_, false))
        thalweg_task_take_back(this);
}

void ResolverBody::deliver() noexcept {
    ++delivering_;
    while (!done_.empty()) {
        Lookup &lookup = done_.front();
        lookup.found.forget_source();
        const event<looked_up> found = std::move(lookup.found);
        looked_up result = std::move(lookup.result);
        done_.pop_front();
        found.trigger(std::move(result));
    }
    if (--delivering_ == 0 && is_dropped_)
        delete this;
}

// c-ares says so before it closes the socket.
void ResolverBody::socket_changes(int fd, bool is_read, bool is_written) noexcept {
    const auto known = sockets_.find(fd);
    if (!is_read && !is_written) {
        if (known == sockets_.end())
            return;
        thalweg_descriptor_remove(loop_, &known->second, fd);
        sockets_.erase(known);
        return;
    }
    Socket &socket = known != sockets_.end() ? known->second : sockets_.try_emplace(fd, *this, fd).first->second;
    const uint32_t events = (is_read ? EPOLLIN : 0U) | (is_written ? EPOLLOUT : 0U);
    // Where the system can't watch it, the question is lost, as one that the network loses, and asked again.
    (void)thalweg_descriptor_change(loop_, &socket, fd, events);
}

// Whoever waits is told that it was cancelled.
void ResolverBody::end() noexcept {
    if (loop_)
        leave_loop();
    settle();
}

void ResolverBody::leave_loop() noexcept {
    ares_cancel(channel_);
    ares_destroy(channel_);
    stop_timer();
    resolvers_.all.erase(own_place_);
    loop_ = nullptr;
}

}  // namespace detail

resolver::resolver(const resolver_options &options) : body_(new detail::ResolverBody(options)) {}

void resolver::Drop::operator()(detail::ResolverBody *body) const { body->dismiss(); }

void resolver::lookup(const std::string &name, event<looked_up> found, int family) {
    body_->begin(name, std::move(found), family);
}

tamed<looked_up> resolver::lookup(std::string name, int family) {
    gather answered;
    looked_up found;
    body_->begin(name, event<looked_up>(mkevent(answered, found)), family);
    co_await answered;
    co_return found;
}

}  // namespace THALWEG_TAME
