agent Ann {
    workframes:
        workframe wf {
            when(knownval(current.a == 1) && knownval(current.b <> 2))
            do { conclude((current.a := 2)); }
        }
        workframe wf_or {
            when(knownval(current.a = 1) or knownval(current.b = 2))
            do { }
        }
        workframe wf_bare {
            when(current.a = 1 and knownval(current.b = 2))
            do { conclude(current.a = 1, bc: 50); }
        }
        workframe wf_deep {
            when(knownval(current.a.b = 1))
            do { }
        }
}
