//! Who may talk to the server: no page of another site, and from other machines only who knows the token.
//!
//! A browser lets any page open a WebSocket to any address, and a name of a foreign site may be made to lead to this
//! machine; the `Origin` and `Host` headers, which pages cannot forge, tell. Start reading at [`Guard::admits`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use thiserror::Error;

/// Letters of a token: about 119 bits.
const TOKEN_LETTERS: usize = 20;

/// The rules of admission of a running server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

/// What a request says of itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Visitor<'a> {
    /// The `Host` header.
    pub host: Option<&'a str>,
    /// The `Origin` header; programs that are no browsers send none.
    pub origin: Option<&'a str>,
    /// The token it gives.
    pub token: Option<&'a str>,
}

/// Why a request is turned away.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotAdmitted {
    /// It was sent to a name that is not this server's.
    #[error("the host `{0}` is not served here")]
    Host(String),
    /// It comes from a page of another site.
    #[error("pages of `{0}` may not play here")]
    Origin(String),
    /// It comes without the token.
    #[error("the token is missing or wrong: open the address that `volte serve` printed")]
    Token,
}

impl Guard {
    /// The rules for a server at `address`. A token is needed if other machines can reach it.
    pub fn new(address: SocketAddr) -> Self {
        let token = (!address.ip().is_loopback()).then(new_name);
        Self { address, token }
    }

    /// The token, if one is needed.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The address to open in a browser on this machine.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        self.url_at(ip)
    }

    /// The address to open on other machines, if they can reach this one and it knows under which address.
    pub fn url_elsewhere(&self) -> Option<String> {
        let own = self.address.ip();
        let ip = if own.is_unspecified() { outward_address()? } else { own };
        (!ip.is_loopback()).then(|| self.url_at(ip))
    }

    fn url_at(&self, ip: IpAddr) -> String {
        let address = SocketAddr::new(ip, self.address.port());
        self.token
            .as_ref()
            .map_or_else(|| format!("http://{address}/"), |token| format!("http://{address}/?token={token}"))
    }

    /// Whether the files of the page may be read: anybody may who calls this server by one of its own names.
    ///
    /// # Errors
    /// If not.
    pub fn serves(&self, visitor: Visitor<'_>) -> Result<(), NotAdmitted> {
        // Behind a token, the name under which other machines know this one is not known here.
        if self.token.is_some() || visitor.host.is_some_and(|host| self.is_own_name(host)) {
            return Ok(());
        }
        Err(NotAdmitted::Host(visitor.host.unwrap_or_default().to_owned()))
    }

    /// Whether a session may be opened.
    ///
    /// # Errors
    /// If not.
    pub fn admits(&self, visitor: Visitor<'_>) -> Result<(), NotAdmitted> {
        self.serves(visitor)?;
        if let Some(origin) = visitor.origin {
            let own = visitor.host.is_some_and(|host| origin.eq_ignore_ascii_case(&format!("http://{host}")));
            if !own {
                return Err(NotAdmitted::Origin(origin.to_owned()));
            }
        }
        if self.token.is_some() && self.token.as_deref() != visitor.token {
            return Err(NotAdmitted::Token);
        }
        Ok(())
    }

    fn is_own_name(&self, host: &str) -> bool {
        let own = [self.address.to_string(), format!("localhost:{}", self.address.port())];
        own.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// The address of this machine in its network: the one from which it would write to a far machine. Nothing is sent.
fn outward_address() -> Option<IpAddr> {
    // An address that is set aside for documentation: no machine has it.
    const FAR: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(FAR).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

/// A name that nobody can guess.
pub(super) fn new_name() -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    (0..TOKEN_LETTERS).map(|_| char::from(LETTERS[rand::random_range(0..LETTERS.len())])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local() -> Guard {
        Guard::new("127.0.0.1:8064".parse().unwrap())
    }

    #[test]
    fn only_own_pages_and_programs_are_admitted() {
        let guard = local();
        let visit = |host, origin| guard.admits(Visitor { host: Some(host), origin, token: None });
        assert_eq!(guard.token(), None);
        assert_eq!(visit("127.0.0.1:8064", Some("http://127.0.0.1:8064")), Ok(()));
        assert_eq!(visit("localhost:8064", Some("http://localhost:8064")), Ok(()));
        assert_eq!(visit("localhost:8064", None), Ok(()));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:8064", "http://127.0.0.1:80", ""] {
            let error = visit("127.0.0.1:8064", Some(origin)).unwrap_err();
            assert_eq!(error, NotAdmitted::Origin(origin.to_owned()));
        }
        // A foreign name that was made to lead here.
        let error = visit("evil.example:8064", Some("http://evil.example:8064")).unwrap_err();
        assert_eq!(error, NotAdmitted::Host("evil.example:8064".to_owned()));
        assert!(guard.admits(Visitor::default()).is_err());
    }

    #[test]
    fn other_machines_are_told_an_address_that_they_can_reach() {
        let url = |address: &str| Guard::new(address.parse().unwrap()).url_elsewhere();
        assert_eq!(url("127.0.0.1:8064"), None);
        assert!(url("192.0.2.7:8064").unwrap().starts_with("http://192.0.2.7:8064/?token="));
        // Without a network there is none to tell.
        assert!(url("0.0.0.0:8064").is_none_or(|url| !url.contains("//127.") && !url.contains("//0.0.0.0")));
    }

    #[test]
    fn other_machines_need_the_token() {
        let guard = Guard::new("0.0.0.0:8064".parse().unwrap());
        let token = guard.token().unwrap().to_owned();
        assert!(token.len() == TOKEN_LETTERS && guard.url().ends_with(&token), "{}", guard.url());
        assert_ne!(Some(token.as_str()), Guard::new("0.0.0.0:8064".parse().unwrap()).token());
        let visit = |origin, token| guard.admits(Visitor { host: Some("box.lan:8064"), origin, token });
        assert_eq!(visit(Some("http://box.lan:8064"), Some(token.as_str())), Ok(()));
        assert_eq!(visit(Some("http://box.lan:8064"), None), Err(NotAdmitted::Token));
        assert_eq!(visit(None, Some("guess")), Err(NotAdmitted::Token));
        assert!(matches!(visit(Some("http://evil.example"), Some(token.as_str())), Err(NotAdmitted::Origin(_))));
    }
}
