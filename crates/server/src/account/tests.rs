//! Funnels add up in time and in money, for every row and in total.

use muster_store::history::{Amounts, ApartRow, Ledger, LedgerJob, LedgerRow, OwnedRow};

use muster_api::usage::WasteKind;

use super::{Account, Funnel, Owns};
use crate::prices::{Price, Prices};

const HOUR: u64 = 3_600_000;

fn row(key: &str, model: &str, hours: u64) -> LedgerRow {
    let amounts = Amounts {
        allocated: 10 * hours * HOUR + 1,
        measured: 8 * hours * HOUR,
        active: 6 * hours * HOUR,
        failed: hours * HOUR / 7,
        paused: hours * HOUR / 11,
        cancelled: hours,
        overhead: hours * HOUR,
    };
    LedgerRow { key: key.to_owned(), model: model.to_owned(), amounts, ..LedgerRow::default() }
}

/// A job waited for so many hours of GPUs that stood free in pieces.
fn apart(model: &str, hours: u64) -> ApartRow {
    let (name, user, team) = ("train".to_owned(), "someone".to_owned(), String::new());
    let job = Some((7, LedgerJob { name, user, team }));
    ApartRow { model: model.to_owned(), job, gpu_ms: hours * HOUR + 1, ..ApartRow::default() }
}

fn ledger() -> Ledger {
    let owned = |model: &str, hours: u64| OwnedRow {
        model: model.to_owned(),
        owned: hours * HOUR + 1,
        unusable: 7,
        ..OwnedRow::default()
    };
    let rows = vec![row("team-a", "A100", 1), row("team-a", "H100", 2), row("team-b", "H100", 3)];
    let owned = vec![owned("A100", 40), owned("H100", 60)];
    Ledger { rows, owned, apart: vec![apart("H100", 2), apart("A100", 1)], ..Ledger::default() }
}

fn prices() -> Prices {
    let models = [("H100".to_owned(), Price(2_333_333))].into();
    Prices { currency: Some("EUR".to_owned()), default: Some(Price(1_000_001)), models }
}

fn adds_up(funnel: &Funnel) {
    for stages in [Some(funnel.gpu_ms), funnel.money].into_iter().flatten() {
        let left = stages.unallocated.map(|left| left.idle + left.unusable);
        assert_eq!(stages.paid, left.map(|left| left + stages.allocated));
        assert!(stages.unallocated.is_none_or(|left| left.scattered <= left.idle), "{stages:?}");
        assert_eq!(stages.allocated, stages.active + stages.idle + stages.unmeasured);
        assert_eq!(stages.active, stages.useful + stages.lost.sum());
    }
}

#[test]
fn every_row_and_the_total_add_up_in_time_and_in_money() {
    let (ledger, prices) = (ledger(), prices());
    for owns in [Owns::Nobody, Owns::Whole, Owns::Rows] {
        let account = Account { ledger: &ledger, prices: &prices, owns };
        adds_up(&account.total());
        account.rows().iter().for_each(|(_, funnel)| adds_up(funnel));
        let held: u64 = account.rows().iter().map(|(_, funnel)| funnel.gpu_ms.allocated).sum();
        assert_eq!(held, account.total().gpu_ms.allocated);
        assert_eq!(account.total().gpu_ms.paid.is_some(), owns != Owns::Nobody);
    }
    let account = Account { ledger: &ledger, prices: &prices, owns: Owns::Whole };
    assert_eq!(account.total().gpu_ms.paid, Some(100 * HOUR + 2));
    let cost = account.total().money.and_then(|money| money.paid);
    let exact = 40 * 1_000_001 + 60 * 2_333_333;
    assert!(cost.is_some_and(|cost| exact - 20 < cost && cost <= exact + 20), "{cost:?}");
}

#[test]
fn a_model_without_a_price_leaves_money_out_of_what_it_is_part_of() {
    let (ledger, mut prices) = (ledger(), prices());
    prices.default = None;
    let account = Account { ledger: &ledger, prices: &prices, owns: Owns::Whole };
    assert_eq!(account.total().money, None);
    let rows = account.rows();
    let money = |key: &str| rows.iter().find(|(of, _)| of == key).map(|(_, it)| it.money.is_some());
    assert_eq!((money("team-a"), money("team-b")), (Some(false), Some(true)));
}

#[test]
fn more_held_than_owned_is_told_as_held_and_never_as_less_than_nothing() {
    let mut ledger = ledger();
    ledger.owned.clear();
    let account = Account { ledger: &ledger, prices: &prices(), owns: Owns::Whole };
    assert_eq!(account.total().gpu_ms.paid, Some(account.total().gpu_ms.allocated));
    adds_up(&account.total());
}

#[test]
fn what_lay_apart_is_a_part_of_what_was_idle_and_is_told_with_who_waited() {
    let (mut ledger, prices) = (ledger(), prices());
    let left = |ledger: &Ledger, owns| {
        let total = Account { ledger, prices: &prices, owns }.total();
        total.gpu_ms.unallocated.map(|left| left.scattered)
    };
    assert_eq!(left(&ledger, Owns::Whole), Some(3 * HOUR + 2));
    assert_eq!(left(&ledger, Owns::Nobody), None);
    let [offender] = super::offenders(&ledger, &prices)
        .into_iter()
        .filter(|offender| offender.kind == WasteKind::Fragmentation)
        .collect::<Vec<_>>()
        .try_into()
        .expect("one job waited");
    assert_eq!((offender.job, offender.gpu_ms), (Some(7), 3 * HOUR + 2));
    assert_eq!(offender.money, Some(2 * 2_333_333 + 1_000_001));
    assert_eq!(offender.text, "3.00 GPU-hours stood free in pieces while it waited for as much");
    ledger.apart.push(apart("H100", 1000));
    adds_up(&Account { ledger: &ledger, prices: &prices, owns: Owns::Whole }.total());
    ledger.owned.iter_mut().for_each(|row| row.node = Some("n1".to_owned()));
    let rows = Account { ledger: &ledger, prices: &prices, owns: Owns::Rows }.rows();
    let of_nodes = rows.iter().filter_map(|(_, funnel)| funnel.gpu_ms.unallocated);
    assert_eq!(of_nodes.map(|left| left.scattered).sum::<u64>(), 0, "it is between nodes");
}

#[test]
fn each_kind_of_waste_is_told_of_its_job_with_what_it_cost() {
    let (mut ledger, prices) = (ledger(), prices());
    let (name, user, team) = ("train".to_owned(), "someone".to_owned(), "lab".to_owned());
    let job = Some(LedgerJob { name, user, team });
    ledger.rows = vec![LedgerRow { job, ..row("5", "H100", 77) }];
    ledger.rows[0].amounts.active = 77 * HOUR;
    let told: Vec<(WasteKind, u64, bool)> = super::offenders(&ledger, &prices)
        .iter()
        .filter(|offender| offender.job == Some(5))
        .map(|offender| (offender.kind, offender.gpu_ms / HOUR, offender.money.is_some()))
        .collect();
    let expected = [
        (WasteKind::LowActivity, 7 * 77, true),
        (WasteKind::Overhead, 77, true),
        (WasteKind::FailedAttempts, 11, true),
        (WasteKind::Pauses, 7, true),
    ];
    assert_eq!(told, expected, "the worst comes first");
    // Who only takes its time to launch, less than a minute of a GPU, is not worth a word.
    ledger.rows[0].amounts = Amounts {
        allocated: HOUR,
        measured: HOUR,
        active: HOUR,
        overhead: 59_999,
        ..Amounts::default()
    };
    assert!(super::offenders(&ledger, &prices).iter().all(|offender| offender.job != Some(5)));
}
