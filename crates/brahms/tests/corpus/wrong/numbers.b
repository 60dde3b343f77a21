agent Ann {
    cost: 1e999;
    initial_beliefs:
        (current.a = 99999999999999999999);
        (current.a = -9223372036854775808);
        (current.b = 2nd);
    workframes:
        workframe 3rd {
            priority: high;
            do {
                conclude((current.a = 1), bc:101);
                conclude((current.a = 1), bc:-1, fc:100, fc:0);
                conclude((current.a = 1), dc:100);
                conclude((current.a = 1), bc 100);
            }
        }
}
