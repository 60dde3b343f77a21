//! Agents that act: the reasoning cycle against real skills, with a log that replays, claims that are watched, and advice.
