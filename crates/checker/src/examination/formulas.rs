//! The examinations with a file of temporal formulas.

use super::{Answer, ExaminationLine};
use crate::check::{CheckOptions, check};
use crate::error::Error;
use crate::loaded::Loaded;
use crate::options::Options;
use crate::property::FormulaFile;
use crate::report::Unknown;
use crate::resolve::accepted_properties;
use crate::stop::settle;
use crate::verdict::{PropertyReport, Verdict};
use symbolon_budget::Budget;
use symbolon_logic::{FormulaError, Fragment, Operator, Parsed, Paths};

/// Answers each formula as soon as its verdict is known.
pub(super) fn formulas(
    loaded: &Loaded,
    paths: Paths,
    file: &FormulaFile,
    options: &Options,
    budget: &Budget,
    emit: &mut (dyn FnMut(ExaminationLine) + Send),
) -> Result<Option<Unknown>, Error> {
    let refuse = |parsed: &Parsed| refused(parsed, paths);
    let properties = match settle(accepted_properties(loaded, file, Some(paths), &refuse, budget))? {
        Ok(file) => file.properties,
        Err(unknown) => {
            emit(ExaminationLine::CannotCompute);
            return Ok(Some(unknown));
        }
    };
    let mut on_verdict = |_: usize, report: &PropertyReport| {
        let answer = match report.verdict {
            Verdict::Holds => Answer::True,
            Verdict::Fails => Answer::False,
            Verdict::Unknown(_) => return,
        };
        let techniques = report.techniques.clone();
        emit(ExaminationLine::Formula { id: report.name.clone(), answer, techniques });
    };
    let reports = check(loaded, &properties, CheckOptions::default(), options, budget, &mut on_verdict)?;
    let mut reason = None;
    for report in reports {
        if let Verdict::Unknown(why) = report.verdict {
            emit(ExaminationLine::FormulaUnknown { id: report.name });
            reason.get_or_insert(why);
        }
    }
    Ok(reason)
}

/// What is wrong with a formula that is not of the logic of its examination, which is CTL where
/// paths are maximal, and else LTL.
fn refused(parsed: &Parsed, paths: Paths) -> Option<FormulaError> {
    let formula = &parsed.formula;
    if paths == Paths::Maximal {
        let is_ctl = matches!(formula.fragment(), Fragment::Propositional | Fragment::Ctl);
        // The temporal operator that lacks a quantifier of its own, or the quantifier that lacks
        // one.
        let odd = formula.subformulas().find_map(|(id, operator)| {
            let quantifies = matches!(operator, Operator::Exists(_) | Operator::ForAll(_));
            let is_odd = |operand: &_| formula.operator(*operand).is_temporal() != quantifies;
            operator.operands().any(|operand| is_odd(&operand)).then_some(id)
        });
        let at = parsed.span(odd.unwrap_or(formula.root()));
        let hint = "in CTL each temporal operator stands directly below a quantifier; is it LTL?";
        return (!is_ctl).then(|| {
            FormulaError::new(at, "this formula is not CTL, which the examination is about").with_hint(hint)
        });
    }
    let inner = formula.subformulas().find(|(id, operator)| {
        *id != formula.root() && matches!(operator, Operator::Exists(_) | Operator::ForAll(_))
    });
    let hint = "in LTL one quantifier stands above everything else; is it CTL?";
    inner.map(|(id, _)| {
        FormulaError::new(parsed.span(id), "this formula is not LTL, which the examination is about")
            .with_hint(hint)
    })
}
