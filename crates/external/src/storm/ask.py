"""Asks Storm about one model. A task comes as JSON on standard input; answers leave as JSON, one line each, as soon as
they are known, so that a time limit loses only what is not answered yet. The first line describes the model.

    {"kind": "prism", "file": "m.pm", "constants": "N=3", "properties": ["Pmax=? [F x=2]"],
     "exact": false, "precision": 1e-6, "prune": false, "memory": 8192}

kind is prism, drn or jani. "prune" lets Storm stop exploring where the property is decided.
"memory" is a limit in MiB.
"""

import json
import math
import os
import resource
import sys
import time
from fractions import Fraction

# Storm writes its warnings to standard output. They go to standard error, so that the answers stay readable.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def tell(answer):
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


try:
    import stormpy
    import stormpy.developer as developer
    import stormpy.info
except ImportError as problem:
    tell({"missing": str(problem)})
    sys.exit(0)


class NoAnswer(Exception):
    """Something that Storm was not asked because this program cannot."""


def words(problem):
    """What went wrong, in one line."""
    return " ".join(str(problem).split())[:500]


def split_filter(text):
    """The parts of `filter(operator, formula, states)`; the last is `true` where it is left out. None for other texts."""
    text = text.strip()
    while text.startswith("(") and closing(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
    head = text[len("filter"):].lstrip() if text.startswith("filter") else ""
    if not head.startswith("(") or closing(head, 0) != len(head) - 1:
        return None
    parts = [""]
    depth = 0
    quoted = False
    for letter in head[1:-1]:
        quoted ^= letter == '"'
        if not quoted:
            depth += letter in "([{"
            depth -= letter in ")]}"
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    parts = [part.strip() for part in parts]
    if len(parts) == 2:
        parts.append("true")
    return parts if len(parts) == 3 else None


def closing(text, start):
    """Where the parenthesis that opens at `start` closes."""
    depth = 0
    for at in range(start, len(text)):
        depth += text[at] == "("
        depth -= text[at] == ")"
        if depth == 0:
            return at
    return -1


class Session:
    def __init__(self, task):
        self.task = task
        self.exact = bool(task.get("exact"))
        self.number = stormpy.Rational if self.exact else float
        self.precision = float(task.get("precision") or 1e-6)
        self.program = None
        self.properties = []
        self.environment = stormpy.environments.exact() if self.exact else stormpy.environments.sound()
        if not self.exact:
            tolerance = stormpy.Rational(repr(self.precision))
            solver = self.environment.solver()
            for part in (solver.min_max(), solver.native()):
                part.precision = tolerance
                part.relative_termination_criterion = True

    def read(self):
        """The program, if the model comes as one, and the properties over its words."""
        kind, file = self.task["kind"], self.task["file"]
        if kind == "prism":
            self.program = stormpy.parse_prism_program(file, prism_compatibility=True)
        elif kind == "jani":
            self.program, _ = stormpy.parse_jani_model(file)
        if self.program is not None:
            constants = self.task.get("constants") or ""
            self.program, _ = stormpy.instantiate_constants(self.program, constants)
        self.properties = [self.parse(text) for text in self.task.get("properties", [])]

    def parse(self, text):
        """The operator of a filter, the formula and the filter's states; or what is wrong with the text."""
        try:
            operator, formula, states = split_filter(text) or (None, text, None)
            return operator, self.formula(formula), self.formula(states) if states else None
        except Exception as problem:
            return problem

    def formula(self, text):
        found = stormpy.parse_properties(text, self.program)
        if len(found) != 1:
            raise NoAnswer("one property was expected, not %d: %s" % (len(found), text))
        return found[0].get_raw_formula()

    def build(self):
        kind, file = self.task["kind"], self.task["file"]
        if kind == "drn":
            options = developer.DirectEncodingParserOptions()
            model = stormpy.build_model_from_drn[self.number](file, options=options)
            # A label that no state has cannot be written in this format, but it can be asked for.
            if not model.labeling.contains_label("deadlock"):
                model.labeling.add_label("deadlock")
            return model
        formulas = []
        for parts in self.properties:
            if not isinstance(parts, Exception):
                formulas += [part for part in parts[1:] if part is not None]
        # A single formula makes Storm stop where that formula is decided; a second one makes it build everything.
        if formulas and not self.task.get("prune"):
            formulas.append(stormpy.parse_properties("true")[0].get_raw_formula())
        options = stormpy.BuilderOptions(formulas) if formulas else stormpy.BuilderOptions()
        options.set_build_all_labels()
        options.set_build_all_reward_models()
        return stormpy.build_model[self.number](self.program, options=options)

    def interval(self, result, state):
        """Storm's value of a state and the bounds that it vouches for."""
        value = result.get_value(state)
        if self.exact:
            if math.isinf(float(value)):
                return float(value), float(value), None
            return Fraction(str(value)), Fraction(str(value)), str(value)
        if math.isinf(value):
            return value, value, None
        bounded = result[state]
        margin = self.precision * max(1.0, abs(value))
        low = value - margin if bounded.lower is None else float(bounded.lower)
        high = value + margin if bounded.upper is None else float(bounded.upper)
        return low, high, None

    def check(self, formula):
        return stormpy.model_checking(self.model, formula, environment=self.environment)

    def truth(self, formula, states):
        """Per state true, false or None. A threshold inside the bounds of the computed number is not decided."""
        if is_operator(formula) and formula.has_bound:
            result = self.check(self.asked_as_value(formula))
            # A quotient comes in brackets: (1 / 3).
            threshold = Fraction(str(formula.threshold_expr).strip("()").replace(" ", ""))
            sign = formula.comparison_type
            return [decide(sign, self.interval(result, state), threshold) for state in states]
        truths = self.check(formula)
        return [bool(truths[state]) for state in states]

    def asked_as_value(self, formula):
        """The number behind a threshold. On a process with choices a threshold speaks of all of them, that is of the
        least number for a lower bound and of the greatest for an upper one."""
        sign = formula.comparison_type
        lower = sign in (stormpy.logic.ComparisonType.GREATER, stormpy.logic.ComparisonType.GEQ)
        formula = formula.clone()
        formula.remove_bound()
        if self.model.is_nondeterministic_model and not formula.has_optimality_type:
            best = stormpy.logic.OptimizationDirection
            formula.set_optimality_type(best.MINIMIZE if lower else best.MAXIMIZE)
        return formula

    def answer(self, parts):
        if isinstance(parts, Exception):
            raise parts
        operator, formula, chosen = parts
        states = list(self.model.initial_states)
        if chosen is not None:
            satisfied = self.check(chosen)
            states = [state for state in range(self.model.nr_states) if satisfied[state]]
        if is_operator(formula) and not formula.has_bound:
            result = self.check(formula)
            values = [self.interval(result, state) for state in states]
            return gather_values(operator, values)
        return gather_truths(operator, self.truth(formula, states))

    def run(self):
        self.read()
        start = time.monotonic()
        self.model = self.build()
        model = self.model
        tell({
            "version": stormpy.info.storm_version(),
            "type": model.model_type.name.lower(),
            "states": model.nr_states,
            "choices": model.nr_choices,
            "transitions": model.nr_transitions,
            "seconds": time.monotonic() - start,
        })
        for number, parts in enumerate(self.properties):
            start = time.monotonic()
            try:
                found = self.answer(parts)
            except Exception as problem:
                found = {"error": words(problem)}
            tell({"property": number, "seconds": time.monotonic() - start, **found})


def is_operator(formula):
    """Whether the formula is about a number: P, R, S."""
    return isinstance(formula, stormpy.logic.OperatorFormula)


def decide(sign, interval, threshold):
    low, high, _ = interval
    kinds = stormpy.logic.ComparisonType
    if sign == kinds.GEQ:
        return True if low >= threshold else False if high < threshold else None
    if sign == kinds.GREATER:
        return True if low > threshold else False if high <= threshold else None
    if sign == kinds.LEQ:
        return True if high <= threshold else False if low > threshold else None
    return True if high < threshold else False if low >= threshold else None


def gather_values(operator, values):
    if not values:
        raise NoAnswer("the filter selects no state")
    lows, highs = [low for low, _, _ in values], [high for _, high, _ in values]
    if operator in (None, "state"):
        if len(values) != 1:
            raise NoAnswer("the value of one state is asked, and there are %d" % len(values))
        found = {"low": number(lows[0]), "high": number(highs[0])}
        if values[0][2] is not None:
            found["exact"] = values[0][2]
        return found
    gather = {"min": min, "max": max, "sum": sum, "avg": lambda all: sum(all) / len(all)}.get(operator)
    if gather is None:
        raise NoAnswer("the filter `%s` is not asked for numbers" % operator)
    return {"low": number(gather(lows)), "high": number(gather(highs))}


def gather_truths(operator, truths):
    if operator in (None, "forall", "state"):
        truth = False if False in truths else None if None in truths else True
        return {"truth": truth}
    if operator == "exists":
        return {"truth": True if True in truths else None if None in truths else False}
    if operator == "count":
        return {"low": float(truths.count(True)), "high": float(len(truths) - truths.count(False))}
    raise NoAnswer("the filter `%s` is not asked for truth" % operator)


def number(value):
    """JSON has no infinity."""
    return ("inf" if value > 0 else "-inf") if math.isinf(value) else float(value)


def main():
    try:
        task = json.load(sys.stdin)
        if task.get("memory"):
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            limit = task["memory"] << 20
            resource.setrlimit(resource.RLIMIT_AS, (limit if most < 0 else min(limit, most), most))
        Session(task).run()
    except Exception as problem:
        tell({"failed": words(problem)})


main()
