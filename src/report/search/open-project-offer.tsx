export const OPEN_PROJECT_OFFER_CLASSES = 'rounded-control font-medium text-accent-ink hover:underline touch:min-h-11'

export function OpenProjectOffer({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  return (
    <p className="text-sm">
      <button type="button" onClick={() => onOpen(id)} className={OPEN_PROJECT_OFFER_CLASSES}>
        เปิดโครงการ {id}
      </button>{' '}
      <kbd className="rounded-[4px] border border-line bg-surface-muted px-1 font-sans text-xs text-ink-muted max-md:hidden">
        Enter
      </kbd>
    </p>
  )
}
