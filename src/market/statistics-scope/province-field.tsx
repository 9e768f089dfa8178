import { PROVINCES, REGIONS, separateCompleteRegions } from '#contract/thai/province.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { RegionTree } from '#src/ui/project/region-tree.tsx'

const AREAS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  REGIONS.map(({ code }) => [
    code,
    PROVINCES.filter(({ region }) => region === code)
      .map(({ th }) => th)
      .sort((a, b) => a.localeCompare(b, 'th')),
  ]),
)

export function groupProvincesByRegion(
  values: readonly string[],
): readonly { readonly th: string; readonly provinces: readonly string[] }[] {
  const { whole, rest: remainder } = separateCompleteRegions(values)
  return [
    ...whole.map(({ code, th }) => ({ th, provinces: AREAS[code] ?? [] })),
    ...remainder.map((th) => ({ th, provinces: [th] })),
  ]
}

type ProvinceFieldProps = {
  label: string
  values: readonly string[] | undefined
  onChange: (values: readonly string[] | undefined) => void
}

export function ProvinceField({ label, values = [], onChange }: ProvinceFieldProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="max-h-80 overflow-y-auto p-0.5">
        <RegionTree
          title={label}
          areas={AREAS}
          selected={new Set(values)}
          onPick={(provinces, on) => onChange(setListValues(values, provinces, on))}
        />
      </div>
    </fieldset>
  )
}
