import fc from 'fast-check'

// Over a database, shrinking a counterexample takes longer than the test may, and the timeout hides what failed. The
// error names seed and path, from which a local run shrinks it.
if (process.env.CI) fc.configureGlobal({ endOnFailure: true })
