import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing, Rss } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
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
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'

/** `text`: what the user is notified about, after the verb: `บริษัทนี้`. */
type FollowTarget = Follow & { readonly text: string }

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
  if (!isLocalGovernmentName(agency)) return [unitTarget, { ...wholeAgency, text: ` ${name} ทุกหน่วย` }]
  // Local governments of the same name are separate agencies, so the whole agency includes its province.
  if (isOwnUnit) return [unitTarget]
  const allUnits = { ...buyingUnit, unit: '' }
  return [
    unitTarget,
    {
      kind: 'department',
      key: buildPurchasingUnitFollowKey(allUnits),
      name: buildPurchasingUnitFollowName(allUnits),
      text: ` ${formatPurchasingUnitName(allUnits)} ทุกหน่วย`,
    },
  ]
}
type Buyer = { readonly agency: string; readonly unit: string; readonly province: string | null }

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
    isOn ? 'เลิกรับแจ้งไม่สำเร็จ' : 'รับแจ้งไม่สำเร็จ',
  )

const TITLE = 'แจ้งที่กระดิ่งและทางอีเมลเมื่อมีเรื่องใหม่ในรายงานขององค์กร'

export function FollowButtons({ targets }: { targets: readonly FollowTarget[] }) {
  const isDemo = isDemoSession()
  const { data } = useQuery({ ...useOptimisticQueryOptions(followsQuery), enabled: !isDemo })
  if (isDemo) return null
  if (!data) return <div className="mt-1 h-8 touch:h-11 print:hidden" />
  const choices = targets.map(({ text, ...target }) => ({ text, target, isOn: isFollowingTarget(data, target) }))
  const [first] = choices
  const followed = choices.filter(({ isOn }) => isOn)
  if (!first) return null
  const button = (children: ReactNode, props: Partial<ComponentProps<typeof Button>>) => (
    <Button
      size="sm"
      variant="quiet"
      title={TITLE}
      {...props}
      className={classNames('max-w-full', followed.length > 0 && 'text-accent-ink')}
    >
      <Rss aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 truncate">{children}</span>
    </Button>
  )
  return (
    <div className="mt-1 -ml-1.5 flex print:hidden">
      {choices.length === 1 ? (
        button(`${first.isOn ? 'รับแจ้งอยู่: ' : 'รับแจ้ง'}${first.isOn ? first.text.trimStart() : first.text}`, {
          'aria-pressed': first.isOn,
          onClick: () => toggle(first.target, first.isOn),
        })
      ) : (
        <Menu
          label="รับแจ้งเรื่องใหม่"
          trigger={(props) => button(followed.length === 0 ? 'รับแจ้งเรื่องใหม่' : `รับแจ้งอยู่ ${followed.length} เรื่อง`, props)}
        >
          {choices.map(({ text, target, isOn }) => (
            <MenuItem
              key={`${target.kind} ${target.key}`}
              icon={isOn ? BellRing : Bell}
              onSelect={() => toggle(target, isOn)}
            >
              {isOn ? 'เลิกรับแจ้ง' : 'รับแจ้ง'}
              {text}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}
