//! Mail by people who mean harm.

mod cost;
mod hearing;
mod shapes;
