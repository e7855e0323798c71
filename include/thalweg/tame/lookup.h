// thalweg: the addresses of host names, asked of name servers without blocking (library thalweg_lookup, on c-ares).
//
//     resolver names;
//     looked_up found = co_await names.lookup("example.org");
//
//     for (size_t i = 0; i < hosts.size(); ++i)
//         names.lookup(hosts[i], mkevent(all, found[i]));
//
// A resolver belongs to the thread of its loop. Look-ups that are under way when it goes end with lookup_error::cancelled.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <type_traits>
#include <vector>

#include <thalweg/tame/tamed.h>

namespace THALWEG_TAME {

// Of a host: IPv4 or IPv6.
class address {
  public:
    address() = default;
    address(int family, const void *bytes);  // AF_INET: 4 bytes, AF_INET6: 16

    int family() const { return family_; }
    std::string text() const;  // as connect_to takes it
    friend bool operator==(const address &, const address &) = default;

  private:
    int family_ = AF_UNSPEC;
    std::array<unsigned char, 16> bytes_{};
};

// Why there is none: c-ares' numbers, and its words as the error's message().
enum class lookup_error {
    no_data = 1,  // the name is known, but not with an address of this family
    server_failed = 3,
    not_found = 4,
    refused = 6,
    bad_name = 8,
    no_connection = 11,  // nobody is there who answers names
    timed_out = 12,
    cancelled = 24,  // the resolver or the loop is gone
};
const std::error_category &lookup_category();
inline std::error_code make_error_code(lookup_error error) { return {static_cast<int>(error), lookup_category()}; }

struct looked_up {
    std::vector<address>
        addresses;  // as the server has them; of both families, what this host reaches best comes first (RFC 6724)
    std::error_code error;

    explicit operator bool() const { return !addresses.empty(); }
};

struct resolver_options {
    // Numeric addresses, each with a port where it is another than 53: "10.0.0.1", "127.0.0.1:5353", "[::1]:5353". None: the system's
    // (/etc/resolv.conf).
    std::vector<std::string> servers;
    // Until a server's answer; twice as long each time that all have been asked. This and the number of tries are c-ares' own.
    std::chrono::milliseconds timeout{5000};
    int tries = 4;  // of each server
    // A name that is not found is looked for in the system's domains too (`search` in /etc/resolv.conf).
    bool search = true;
    // Look-ups beyond these wait for their turn. Each asks two questions (IPv4, IPv6), and a server's socket of Linux's usual size has room
    // for 256 (measured on Linux 6.18); what comes then is lost, nobody is told, and it is asked again after `timeout`. With 100 at once some
    // were: the kernel gives back the room of what was read by quarters. So these fill half of it.
    size_t at_once = 64;
};

namespace detail {

class ResolverBody;

}  // namespace detail

class resolver {
  public:
    // Reads the system's configuration. Throws std::system_error.
    explicit resolver(const resolver_options &options = {});

    // Looks into /etc/hosts and asks the servers. family: AF_INET, AF_INET6, or AF_UNSPEC for both. What needs no question may trigger the
    // event before this returns. Where nobody waits any more the answer is dropped.
    void lookup(const std::string &name, event<looked_up> found, int family = AF_UNSPEC);
    tamed<looked_up> lookup(std::string name, int family = AF_UNSPEC);

  private:
    struct Drop {
        void operator()(detail::ResolverBody *body) const;
    };
    std::unique_ptr<detail::ResolverBody, Drop> body_;
};

}  // namespace THALWEG_TAME

template <>
struct std::is_error_code_enum<thalweg::tame::lookup_error> : std::true_type {};
