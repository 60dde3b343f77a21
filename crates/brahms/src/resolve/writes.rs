//! Which keys somebody may write, store by store.
