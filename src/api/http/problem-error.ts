export * from '#src/lib/problem-error.ts'
