import type { ReactNode } from 'react'
import { FormError } from '#src/ui/form/form-error.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

export function LoginProgress({ children }: { children: string }) {
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-ink-muted">
      <Spinner className="text-accent-ink" />
      <h1 role="status" className="text-md">
        {children}
      </h1>
    </div>
  )
}

export function LoginProblem({ title, error, actions }: { title: string; error: unknown; actions: ReactNode }) {
  return (
    <div className="space-y-3">
      <h1 className="text-xl font-semibold">{title}</h1>
      <FormError error={error} />
      <div className="flex flex-wrap justify-end gap-2 pt-2">{actions}</div>
    </div>
  )
}
