import { Link } from '@tanstack/react-router'
import { getButtonClasses } from '#src/ui/button.tsx'

type LinkOutcomeProps = {
  title: string
  text: string
  /** The first one is the usual next step. */
  links: readonly (readonly [to: '/login' | '/reset-password', label: string])[]
  isRefusal?: boolean
}

export function LinkOutcome({ title, text, links, isRefusal = false }: LinkOutcomeProps) {
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p role={isRefusal ? 'alert' : 'status'} className="text-ink-muted">
        {text}
      </p>
      {links.map(([to, label], index) => (
        <Link key={to} to={to} className={getButtonClasses(index === 0 ? 'primary' : 'quiet', 'lg', 'w-full')}>
          {label}
        </Link>
      ))}
    </div>
  )
}
