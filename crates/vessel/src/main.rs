//! The vessel as a skill process: lines of JSON in, lines of JSON out.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use motet_vessel::layout::Area;
use motet_vessel::lines::{self, Line};
use motet_vessel::operator::Temper;
use motet_vessel::weather::Forecast;
use motet_vessel::{Flow, Mission, Pace, Session};
use serde_json::{Value, json};

/// A small vessel without a crew, simulated, for `motet run --skills`.
#[derive(Parser)]
#[command(name = "motet-vessel", version)]
struct Arguments {
    /// Decides everything that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Simulated seconds of a tick
    #[arg(long, default_value_t = 10.0, value_parser = seconds)]
    tick_seconds: f64,
    /// With a rate: so many times faster than real time, instead of --tick-seconds
    #[arg(long, value_parser = seconds)]
    speed: Option<f64>,
    /// The area to sweep, in metres from west to east and from south to north
    #[arg(long, default_value = "334x200", value_parser = size)]
    area: (f64, f64),
    /// Parallel tracks
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    tracks: u16,
    /// The forecast
    #[arg(long, default_value = "changing")]
    weather: WeatherArgument,
    /// The person ashore
    #[arg(long, default_value = "careful")]
    operator: OperatorArgument,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeatherArgument {
    Calm,
    Changing,
    Rough,
}

#[derive(Clone, Copy, ValueEnum)]
enum OperatorArgument {
    Bold,
    Careful,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "a number is needed".to_string())?;
    if (0.01..=600.0).contains(&number) { Ok(number) } else { Err("between 0.01 and 600".to_string()) }
}

fn size(text: &str) -> Result<(f64, f64), String> {
    let form = || "as in 300x200".to_string();
    let (width, height) = text.split_once('x').ok_or_else(form)?;
    let width: f64 = width.parse().map_err(|_| form())?;
    let height: f64 = height.parse().map_err(|_| form())?;
    let fits = |metres: f64| (20.0..=3000.0).contains(&metres);
    if fits(width) && fits(height) {
        Ok((width, height))
    } else {
        Err("each between 20 and 3000 metres".to_string())
    }
}

impl Arguments {
    fn mission(&self) -> Result<Mission, String> {
        let area = Area { width: self.area.0, height: self.area.1, n_tracks: usize::from(self.tracks) };
        // Wider than the sonar sees, nothing between tracks would ever be swept; narrower, the vessel cannot turn.
        if !(15.0..=44.0).contains(&area.spacing()) {
            return Err(format!(
                "{} tracks in {} m are {:.1} m apart; the vessel needs between 15 and 44 m",
                area.n_tracks,
                area.height,
                area.spacing()
            ));
        }
        let forecast = match self.weather {
            WeatherArgument::Calm => Forecast::Calm,
            WeatherArgument::Changing => Forecast::Changing,
            WeatherArgument::Rough => Forecast::Rough,
        };
        let temper = match self.operator {
            OperatorArgument::Bold => Temper::Bold,
            OperatorArgument::Careful => Temper::Careful,
        };
        Ok(Mission { seed: self.seed, area, forecast, temper })
    }
}

/// Speaks until somebody says goodbye or hangs up.
fn converse(session: &mut Session) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = BufWriter::new(io::stdout().lock());
    let mut out: Vec<Value> = Vec::new();
    loop {
        let flow = match lines::next(&mut input)? {
            Line::Text(line) => session.hear(&line, &mut out),
            Line::Bad(why) => {
                out.push(json!({"log": why}));
                Flow::GoesOn
            }
            Line::End => Flow::Ends,
        };
        for message in out.drain(..) {
            writeln!(output, "{message}")?;
        }
        output.flush()?;
        if flow == Flow::Ends {
            return Ok(());
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mission = match arguments.mission() {
        Ok(mission) => mission,
        Err(why) => {
            let _ = writeln!(io::stderr(), "motet-vessel: {why}");
            return ExitCode::from(2);
        }
    };
    let pace = Pace { tick_seconds: arguments.tick_seconds, speed: arguments.speed };
    match converse(&mut Session::new(&mission, pace)) {
        // An agent that has hung up hears nothing any more, and that is no failure of ours.
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "motet-vessel: {error}");
            ExitCode::FAILURE
        }
    }
}
