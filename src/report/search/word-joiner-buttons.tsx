import { classNames } from '#src/lib/class-names.ts'
import { SEARCH_WORD_OPERATORS, type SearchWordOperator } from './word-chips.ts'

type JoinerButtonsProps = { value: SearchWordOperator; onChoose: (joiner: SearchWordOperator) => void }

export function SearchWordOperatorButtons({ value, onChoose }: JoinerButtonsProps) {
  return (
    <fieldset className="flex shrink-0 rounded-control border border-line text-xs">
      <legend className="sr-only">คำถัดไป</legend>
      {SEARCH_WORD_OPERATORS.map(({ code, th }) => (
        <button
          key={code}
          type="button"
          aria-pressed={code === value}
          onClick={() => onChoose(code)}
          className={classNames(
            'h-6 px-2 first:rounded-l-[5px] last:rounded-r-[5px] touch:h-11 touch:min-w-11 touch:px-3',
            code !== value && 'text-ink-muted hover:bg-surface-muted',
            code === value &&
              (code === 'not'
                ? 'bg-urgent-soft font-medium text-urgent'
                : 'bg-accent-soft font-medium text-accent-ink'),
          )}
        >
          {th}
        </button>
      ))}
    </fieldset>
  )
}
