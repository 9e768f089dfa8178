import type { ReactNode } from 'react'

export function ShowMoreButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="mt-1 min-h-6 rounded-control text-xs text-accent-ink hover:underline touch:min-h-11"
    >
      {children}
    </button>
  )
}
