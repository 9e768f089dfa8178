import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import type { CompanyDetail } from '#contract/company.ts'
import { companyDetailQuery } from '#src/api/company-details.ts'
import { useNewerData } from '#src/api/data-time.ts'
import { ProblemError } from '#src/api/problem-error.ts'
import { queryClient } from '#src/api/query-client.ts'
import { ScopeBar } from '#src/features/figure-scope/scope-bar.tsx'
import { ScopeChips } from '#src/features/figure-scope/scope-chips.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { companyTin } from '#src/lib/company-address.ts'
import { CompanyBlocks } from './company-blocks.tsx'
import { CompanyFailure, CompanyForbidden } from './company-failure.tsx'
import { CompanyHeader } from './company-header.tsx'
import { CompanyNotFound } from './company-not-found.tsx'
import { CompanyNotices } from './company-notices.tsx'
import { CompanyProjects, type CompanyProjectsHandle } from './company-projects.tsx'
import { CompanySkeleton } from './company-skeleton.tsx'
import { CompanyTrail } from './company-trail.tsx'
import { NoWins } from './no-wins.tsx'
import { type CompanyAddress, useCompanyAddress } from './use-company-address.ts'

/** One company: what it won, from whom, at which discount and against whom, in the scope that the address says. */
export function CompanyPage() {
  const address = useCompanyAddress()
  const { name, search, change } = address
  const asked = useQuery(companyDetailQuery(name, search))
  const detail = asked.data
  const problem = asked.error instanceof ProblemError ? asked.error.status : undefined
  useOneAddress(asked.isPlaceholderData ? undefined : detail, address)
  useFollowLoads(detail, asked.refetch)
  useTitle(problem === 404 ? undefined : detail?.company.name)

  const projects = useRef<CompanyProjectsHandle>(null)
  const openRows = useCallback(
    (rows: string) => {
      change({ rows })
      projects.current?.focus()
    },
    [change],
  )
  const onScope = useCallback(
    // What was clicked may not be there in another scope.
    (scope: Parameters<typeof change>[0]) => change({ ...scope, rows: undefined }),
    [change],
  )

  if (problem === 404) return <CompanyNotFound name={name} />
  if (asked.error && problem === 403) return <CompanyForbidden error={asked.error} />
  return (
    <div className="mx-auto flex w-full max-w-[1432px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <CompanyTrail />
      <CompanyHeader name={name} detail={detail} search={search} />
      <div className="flex flex-col gap-2">
        <ScopeBar search={search} years={detail?.years ?? []} onChange={onScope} />
        <ScopeChips search={search} onChange={onScope} />
      </div>
      {detail && <CompanyNotices address={address} detail={detail} />}
      {asked.error && (
        <CompanyFailure
          error={asked.error}
          isOld={detail !== undefined}
          onRetry={() => void asked.refetch()}
          retrying={asked.isFetching}
        />
      )}
      {detail ? (
        <div
          aria-busy={asked.isPlaceholderData}
          className={classNames('flex flex-col gap-4 transition-opacity', asked.isPlaceholderData && 'opacity-60')}
        >
          {detail.figures.wins === 0 && <NoWins detail={detail} searchAfter={address.searchAfter} />}
          {detail.scope.n > 0 && (
            <CompanyBlocks name={name} detail={detail} search={search} openRows={openRows}>
              <CompanyProjects ref={projects} detail={detail} address={address} />
            </CompanyBlocks>
          )}
        </div>
      ) : (
        !asked.error && <CompanySkeleton />
      )}
    </div>
  )
}

/** Old spellings, tax ids that are not needed and slashes that were decoded on the way lead to the one address that the company has. */
function useOneAddress(detail: CompanyDetail | undefined, { search, isCanonical, moveTo }: CompanyAddress): void {
  const company = detail?.company
  const isRight = company === undefined || isCanonical(company)
  useEffect(() => {
    if (isRight) return
    // The answer is the same at the other address.
    const { tin: _tin, ...rest } = search
    queryClient.setQueryData(companyDetailQuery(company.name, { ...rest, ...companyTin(company) }).queryKey, detail)
    moveTo(company)
  })
}

/** A load came while one reads: the figures are no older than the next beat of the pulse. */
function useFollowLoads(detail: CompanyDetail | undefined, refetch: () => Promise<unknown>): void {
  const newer = useNewerData(detail?.scope.computed_at)
  useEffect(() => {
    if (newer !== undefined) void refetch()
  }, [newer, refetch])
}

/** The tab of the browser is named by the company; the guard names it by the screen whenever the address changes. */
function useTitle(name: string | undefined): void {
  const router = useRouter()
  useEffect(() => {
    if (name === undefined) return
    const tell = () => {
      document.title = `${name} · ตามงาน`
    }
    tell()
    return router.subscribe('onResolved', tell)
  }, [router, name])
}
