import type { ReactNode } from 'react'

/** Text for screen readers only. `live` announces changes such as counts or "copied". */
export function VisuallyHidden({ children, live = false }: { children: ReactNode; live?: boolean }) {
  return (
    <span className="sr-only" role={live ? 'status' : undefined}>
      {children}
    </span>
  )
}
