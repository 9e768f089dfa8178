import { ChevronRight, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { REGIONS } from '#contract/thai/province.ts'
import { classNames } from '#src/lib/class-names.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import { TextField } from '../form/text-field.tsx'

const MIN_PROVINCES_FOR_SEARCH = 15

type RegionTreeProps = {
  title: string
  areas: Readonly<Record<string, readonly string[]>>
  selected: ReadonlySet<string>
  onPick: (provinces: readonly string[], on: boolean) => void
  trailing?: (provinces: readonly string[]) => string
  /** Number of regions shown at first, by `rank`; those with a selection are added. Undefined: all. */
  shortList?: number | undefined
  rank?: (provinces: readonly string[]) => number
}

export function RegionTree({ title, areas, selected, onPick, trailing, shortList, rank = () => 0 }: RegionTreeProps) {
  const [showsAll, setShowsAll] = useState(shortList === undefined)
  const wasOpened = useRef(false)
  const [openRegions, setOpenRegions] = useState<readonly string[]>([])
  const [searchText, setSearchText] = useState('')
  const regions = REGIONS.filter(({ code }) => (areas[code]?.length ?? 0) > 0)
  const provincesOf = (region: string) => areas[region] ?? []
  const allProvinces = regions.flatMap(({ code }) => provincesOf(code))
  const ranked = regions.toSorted((a, b) => rank(provincesOf(b.code)) - rank(provincesOf(a.code)))
  const visibleRegions = showsAll
    ? regions
    : ranked.filter(
        ({ code }, index) => index < (shortList ?? 0) || provincesOf(code).some((name) => selected.has(name)),
      )
  const matches =
    searchText.trim() === '' ? undefined : allProvinces.filter((province) => province.includes(searchText.trim()))
  const trailingProps = (provinces: readonly string[]) => (trailing ? { trailing: trailing(provinces) } : {})
  const province = (th: string) => (
    <Checkbox key={th} checked={selected.has(th)} onChange={(on) => onPick([th], on)} {...trailingProps([th])}>
      {th}
    </Checkbox>
  )
  return (
    <>
      {showsAll && allProvinces.length >= MIN_PROVINCES_FOR_SEARCH && (
        <TextField
          // The pressed button has unmounted, so focus the field.
          ref={(field) => {
            if (wasOpened.current) field?.focus()
            wasOpened.current = false
          }}
          label={`ค้นจังหวัดใน${title}`}
          hideLabel
          icon={Search}
          placeholder="ค้นจังหวัด"
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      {matches?.map(province)}
      {matches?.length === 0 && <p className="text-ink-faint">ไม่มีจังหวัดนี้ให้เลือก</p>}
      {!matches &&
        visibleRegions.map(({ code, th }) => {
          const provinces = provincesOf(code)
          const chosen = provinces.filter((name) => selected.has(name)).length
          const isOpen = openRegions.includes(code)
          const isPartial = chosen > 0 && chosen < provinces.length
          const listed = isOpen
            ? provinces
            : !showsAll && isPartial
              ? provinces.filter((name) => selected.has(name))
              : []
          return (
            <div key={code}>
              <div className="flex items-start gap-1">
                <Checkbox
                  checked={chosen === provinces.length}
                  indeterminate={isPartial}
                  onChange={(on) => onPick(provinces, on)}
                  {...trailingProps(provinces)}
                  className="min-w-0 flex-1"
                >
                  {th}
                </Checkbox>
                {showsAll && (
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    aria-label={`จังหวัดใน${th}`}
                    onClick={() =>
                      setOpenRegions(isOpen ? openRegions.filter((other) => other !== code) : [...openRegions, code])
                    }
                    className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-ink-faint hover:bg-surface-muted touch:size-11"
                  >
                    <ChevronRight
                      aria-hidden
                      className={classNames('size-4 transition-transform', isOpen && 'rotate-90')}
                    />
                  </button>
                )}
              </div>
              {listed.length > 0 && (
                <div className={classNames('ml-2 border-l border-line py-1 pl-4', showsAll && 'pr-7')}>
                  {listed.map(province)}
                </div>
              )}
            </div>
          )
        })}
      {!showsAll && (
        <TextButton
          onClick={() => {
            wasOpened.current = true
            setShowsAll(true)
          }}
          className="mt-1 text-xs"
        >
          ทุกภาคและจังหวัด
        </TextButton>
      )}
    </>
  )
}
