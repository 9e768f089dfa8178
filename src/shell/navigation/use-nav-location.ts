import { useLocation } from '@tanstack/react-router'
import { type NavLocation, toNavLocation } from './nav-entries.ts'

/** Returns the parts of the location that decide which entry is active; other changes do not re-render. */
export function useNavLocation(): NavLocation {
  return useLocation({
    select: ({ pathname, search }) => toNavLocation(pathname, search),
    structuralSharing: true,
  })
}
