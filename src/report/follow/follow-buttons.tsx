import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing, Rss } from 'lucide-react'
import { isLocalGovernmentName } from '#contract/catalogue/agency-name.ts'
import {
  buildPurchasingUnitFollowKey,
  buildPurchasingUnitFollowName,
  type Follow,
  formatPurchasingUnitName,
  isFollowingTarget,
} from '#contract/report/follow.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { followsQuery, updateFollows } from '#src/report/api/follows.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

/** `text`: object of the Thai verb "follow": `บริษัทนี้`. */
type FollowTarget = Follow & { readonly text: string }
type FollowButtonsProps = { targets: readonly FollowTarget[] }

export function buildBuyerFollowTargets({ agency, unit, province }: Buyer): FollowTarget[] {
  const name = agency || unit
  if (name === '') return []
  const wholeAgency: FollowTarget = { kind: 'department', key: name, name, text: ` ${name}` }
  const isOwnUnit = unit === '' || unit === agency
  if (agency === '' || (isOwnUnit && province === null)) return [wholeAgency]
  const buyingUnit = { agency, unit: unit || agency, province }
  const unitTarget: FollowTarget = {
    kind: 'department',
    key: buildPurchasingUnitFollowKey(buyingUnit),
    name: buildPurchasingUnitFollowName(buyingUnit),
    text: ` ${formatPurchasingUnitName(buyingUnit)}`,
  }
  // Local governments of the same name are separate agencies, so offer to follow only the unit.
  return isOwnUnit && isLocalGovernmentName(agency)
    ? [unitTarget]
    : [unitTarget, { ...wholeAgency, text: ` ${name} ทุกหน่วย` }]
}
type Buyer = { readonly agency: string; readonly unit: string; readonly province: string | null }

export function FollowButtons(props: FollowButtonsProps) {
  return isDemoSession() ? null : <Buttons {...props} />
}

/** Bell of a row in a list. It follows only the project; the agency page offers to follow the agency. */
export function FollowProjectBell({ projectId, name }: { projectId: string; name: string }) {
  const { data } = useQuery({ ...useOptimisticQueryOptions(followsQuery), enabled: !isDemoSession() })
  if (!data) return null
  const target: Follow = { kind: 'project', key: projectId, name }
  const isOn = isFollowingTarget(data, target)
  return (
    <IconButton
      icon={isOn ? BellRing : Bell}
      size="sm"
      label={`รับแจ้งงานนี้ ${name}`}
      title={isOn ? 'เลิกรับแจ้ง' : 'แจ้งเมื่อมีเรื่องใหม่ของงานนี้'}
      aria-pressed={isOn}
      onClick={() => toggle(target, isOn)}
      className={classNames('print:hidden', isOn && 'text-accent-ink')}
    />
  )
}

const toggle = (target: Follow, isOn: boolean) =>
  void updateFollows(
    isOn ? { remove: { kind: target.kind, key: target.key } } : { add: target },
    isOn ? 'เลิกติดตามไม่สำเร็จ' : 'ติดตามไม่สำเร็จ',
  )

function Buttons({ targets }: FollowButtonsProps) {
  const { data } = useQuery(useOptimisticQueryOptions(followsQuery))
  if (!data) return null
  return (
    <div className="mt-1 flex flex-wrap gap-1.5 print:hidden">
      {targets.map(({ text, ...target }) => {
        const isOn = isFollowingTarget(data, target)
        const { kind, key } = target
        return (
          <Button
            key={`${kind} ${key}`}
            size="sm"
            variant="quiet"
            aria-pressed={isOn}
            title="แจ้งที่กระดิ่งและทางอีเมลเมื่อมีเรื่องใหม่ในรายงานขององค์กร"
            onClick={() => toggle(target, isOn)}
            className={classNames('-ml-1.5 max-w-full', isOn && 'text-accent-ink')}
          >
            <Rss aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate">
              {isOn ? 'ติดตามอยู่: ' : 'ติดตาม'}
              {isOn ? text.trimStart() : text}
            </span>
          </Button>
        )
      })}
    </div>
  )
}
