// lookup: c-ares' errors as standard ones, and addresses as text.
#include <algorithm>
#include <ares.h>
#include <arpa/inet.h>
#include <netinet/in.h>

#include <thalweg/tame/lookup.h>

namespace THALWEG_TAME {

namespace {

constexpr bool is(lookup_error error, int number) { return static_cast<int>(error) == number; }
static_assert(is(lookup_error::no_data, ARES_ENODATA) && is(lookup_error::server_failed, ARES_ESERVFAIL) &&
              is(lookup_error::not_found, ARES_ENOTFOUND) && is(lookup_error::refused, ARES_EREFUSED) &&
              is(lookup_error::bad_name, ARES_EBADNAME) && is(lookup_error::no_connection, ARES_ECONNREFUSED) &&
              is(lookup_error::timed_out, ARES_ETIMEOUT) && is(lookup_error::cancelled, ARES_ECANCELLED));

class Category final : public std::error_category {
  public:
    const char *name() const noexcept override { return "c-ares"; }
    std::string message(int number) const override { return ares_strerror(number); }
    std::error_condition default_error_condition(int number) const noexcept override {
        switch (number) {
        case ARES_ECONNREFUSED:
            return std::errc::connection_refused;
        case ARES_ETIMEOUT:
            return std::errc::timed_out;
        case ARES_ECANCELLED:
            return std::errc::operation_canceled;
        case ARES_ENOMEM:
            return std::errc::not_enough_memory;
        default:
            return {number, *this};
        }
    }
};

}  // namespace

const std::error_category &lookup_category() {
    static const Category only;
    return only;
}

address::address(int family, const void *bytes) : family_(family) {
    const size_t size = family == AF_INET ? sizeof(in_addr) : sizeof(in6_addr);
    std::copy_n(static_cast<const unsigned char *>(bytes), size, bytes_.begin());
}

std::string address::text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (family_ != AF_UNSPEC)
        inet_ntop(family_, bytes_.data(), text.data(), text.size());
    return text.data();
}

}  // namespace THALWEG_TAME
