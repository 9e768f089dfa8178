/** The word with the place of the mistake marked. */
export function WrongPlace({ word, position }: { word: string; position: number }) {
  const rest = [...word.slice(position)]
  return (
    <span aria-hidden className="block truncate font-mono text-xs text-ink-muted">
      {word.slice(0, position)}
      <span className="rounded-[2px] bg-urgent-soft text-urgent underline decoration-wavy">
        {rest[0] ?? '\u00A0\u00A0'}
      </span>
      {rest.slice(1).join('')}
    </span>
  )
}
