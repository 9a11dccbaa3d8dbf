//! Certificates, and who they keep out.
