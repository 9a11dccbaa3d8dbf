//! Orders of the pause ladder and signals: each is carried out once.
//!
//! Freezing and suspending need the GPUs' own means; standing still on the CPUs alone is neither,
//! so those rungs are refused. Whoever can save is asked to. What has saved is ended by the
//! server: it may have changed its mind by then.

use muster_api::Reach;
use muster_api::duty::{PauseOrder, RunWork, SignalOrder, StopReason};
use muster_api::report::{Report, RungAnswer};
use muster_engine::command::Running;
use muster_model::Rung;

use super::part::Saving;
use super::settle::{KILL, TERM};
use super::{Mind, Order};

impl Mind {
    /// Carries out what of a duty is new, once all tasks are up.
    pub(super) fn obey(&mut self, now_ms: u64, of: Running, run: &RunWork) {
        let Some(part) = self.parts.get(&of) else { return };
        let mut heard = part.heard;
        if let Some(signal) = run.signal.filter(|signal| signal.number > heard.signal) {
            heard.signal = signal.number;
            self.explain_signal(of, signal);
            self.send(of, signal);
        }
        if let Some(order) = run.pause.filter(|order| order.order > heard.pause) {
            heard.pause = order.order;
            self.pause(now_ms, of, run, order);
        }
        let part = self.parts.get_mut(&of).expect("nothing above forgets an attempt");
        if part.heard != heard {
            part.heard = heard;
            self.orders.push(Order::Remember { of, heard });
        }
    }

    /// In Slurm who is sent a signal that ends is told so, whether it ends or not.
    fn explain_signal(&mut self, of: Running, SignalOrder { signal, to, .. }: SignalOrder) {
        let reason = StopReason::Cancelled;
        if matches!(signal, TERM | KILL) && to.reaches(0) && self.parts[&of].running().contains(&0)
        {
            self.orders.push(Order::Explain { of, step: None, reason });
        }
    }

    fn send(&mut self, of: Running, SignalOrder { signal, to, .. }: SignalOrder) {
        let mut ranks = self.parts[&of].running();
        ranks.retain(|rank| to.reaches(*rank));
        match to {
            _ if ranks.is_empty() => {}
            // Whoever means the script does not mean what it runs.
            Reach::First => self.orders.push(Order::SignalFirst { of, signal }),
            _ => self.orders.push(Order::Signal { of, ranks, signal }),
        }
        if to.reaches_steps() {
            self.signal_steps(of, signal);
        }
    }

    fn pause(&mut self, now_ms: u64, of: Running, run: &RunWork, asked: PauseOrder) {
        let PauseOrder { order, rung, undo } = asked;
        let answer = RungAnswer { of, order, rung };
        let part = self.parts.get_mut(&of).expect("only what is known is paused");
        // Whatever was asked before, this is what counts now.
        part.saving = None;
        if undo {
            self.outbox.push(Report::Resumed(answer));
            return;
        }
        let save = run.program.save.as_ref().filter(|_| rung == Rung::Checkpoint);
        // Places that are held have nothing to save, and wait for those that have.
        let is_held = part.is_only_held();
        let Some(save) = save.filter(|_| is_held || !part.running().is_empty()) else {
            self.outbox.push(Report::PauseRefused(answer));
            return;
        };
        let until_ms = now_ms.saturating_add(save.within_ms);
        part.saving = Some(Saving { order, until_ms });
        let signal = SignalOrder { number: 0, signal: save.signal, to: run.program.signals };
        self.send(of, signal);
    }

    /// The application has saved, asked or by itself. The word of one task stands for all.
    pub(super) fn saved(&mut self, of: Running) {
        let Some(part) = self.parts.get_mut(&of).filter(|part| !part.is_over()) else { return };
        part.saving = None;
        self.outbox.push(Report::Saved(of));
    }

    /// An application that was asked to save and has not in time will not.
    pub(super) fn give_up_saving(&mut self, now_ms: u64, of: Running) {
        let part = self.parts.get_mut(&of).expect("only what is known is looked at");
        let late = part.saving.take_if(|saving| now_ms >= saving.until_ms);
        if let Some(Saving { order, .. }) = late {
            let answer = RungAnswer { of, order, rung: Rung::Checkpoint };
            self.outbox.push(Report::PauseRefused(answer));
        }
    }
}
