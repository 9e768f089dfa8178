import { Chip } from '#src/ui/chip.tsx'

export function ActiveFilterChip({ label, text, onRemove }: { label?: string; text: string; onRemove: () => void }) {
  return (
    <li className="max-w-full">
      <Chip
        {...(label === undefined ? {} : { label })}
        removeLabel={`เอาตัวกรอง ${label === undefined ? text : `${label} ${text}`} ออก`}
        onRemove={onRemove}
      >
        {text}
      </Chip>
    </li>
  )
}
