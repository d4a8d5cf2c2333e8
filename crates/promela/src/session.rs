//! A search of a model: what its workers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_model::{
    Assumption, Basis, Facts, Label, LeftOut, Model, Pool, SearchWorker, Session, Watcher,
};

use crate::claim::{Claim, ClaimKind};
use crate::coverage::Coverage;
use crate::embedded::Host;
use crate::machine::{Crowd, Machine};
use crate::model::PromelaModel;

struct PromelaSession<'m> {
    model: &'m PromelaModel,
    coverage: Coverage,
    /// For the C code of the model.
    host: Option<Box<dyn Host + 'm>>,
    /// Whether workers may rely on few processes being there at a time.
    relies: bool,
    /// Raised when there are more than a reduction relied on.
    refuted: Arc<AtomicBool>,
}

impl Model for PromelaModel {
    fn open<'m>(&'m self, basis: Basis<'_>) -> Box<dyn Session + 'm> {
        let coverage = Coverage::new(&self.program);
        let relies = match basis {
            Basis::Learnt => true,
            Basis::Given(_) | Basis::Nothing | Basis::Together => false,
        };
        let host = self.embedded.as_ref().map(|embedded| embedded.open());
        Box::new(PromelaSession { model: self, coverage, host, relies, refuted: Arc::default() })
    }
}

impl Session for PromelaSession<'_> {
    fn facts(&self) -> Facts {
        Facts {
            may_choose: self.model.may_choose,
            has_sections: !self.model.must_end.is_empty(),
            left_out: match self.model.program.can_reduce() {
                true => LeftOut::Known,
                false => LeftOut::None,
            },
            has_turns: false,
            abstraction: self.model.ignores_code().then(|| {
                let ignored = self.model.embedded_source().map(|source| source.ignores.join(", "));
                format!("memory of the C code was ignored: {}", ignored.unwrap_or_default())
            }),
        }
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        let crowd = self.relies.then(|| Crowd::new(self.refuted.clone()));
        let host = self.host.as_deref();
        Box::new(Machine::searching(self.model, &self.coverage, crowd, host, pool))
    }

    fn watcher<'a>(&'a self, pool: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        Some(Box::new(self.model.observer(pool)))
    }

    fn assumption(&self) -> Assumption {
        Assumption::default()
    }

    fn refuted(&self) -> Arc<AtomicBool> {
        self.refuted.clone()
    }

    fn renew(&mut self) {
        self.relies = false;
        self.refuted.store(false, Ordering::Release);
    }

    /// The language has its own limit, 255 processes.
    fn limit_actors(&mut self, _: Option<u32>) -> bool {
        false
    }

    fn crowded(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    fn assumptions(&self) -> Vec<String> {
        self.model.embedded.as_ref().map_or(Vec::new(), |embedded| embedded.assumptions())
    }

    fn remarks(&self) -> Vec<String> {
        let left_out = self.model.left_out.iter();
        let names: Vec<String> =
            left_out.map(|&claim| format!("`{}`", self.model.claims[claim].name)).collect();
        let text = || format!("claims of the model that were not checked: {}", names.join(", "));
        let warnings = self.model.warnings().iter();
        let warnings = warnings.map(|warning| format!("{}: {}", warning.location, warning.message));
        (!names.is_empty()).then(text).into_iter().chain(warnings).collect()
    }

    fn incompleteness(&self) -> Vec<String> {
        // A trace is watched by the machine itself.
        let traced =
            |claim: &Claim| matches!(claim.kind, ClaimKind::Trace(_) | ClaimKind::Notrace(_));
        let open = self.model.claims.iter().enumerate();
        let open = open.filter(|(at, claim)| !self.model.checked.contains(at) && !traced(claim));
        let open = open.map(|(_, claim)| format!("{} was not checked", claim.describe()));
        let code = self.model.embedded.as_ref().map(|embedded| embedded.incompleteness());
        open.chain(code.unwrap_or_default()).collect()
    }

    fn notes(&self) -> Vec<Label> {
        Vec::new()
    }

    fn unreached(&self) -> Vec<Label> {
        let sites = self.coverage.unreached(&self.model.program, &self.model.claims);
        let label = |site: &crate::code::Site| Label {
            location: site.location.clone(),
            text: site.text.to_string(),
        };
        sites.into_iter().map(label).collect()
    }
}
