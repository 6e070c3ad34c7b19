/** 4.09: before anybody touched it, shown in full, made small. */
export type SideNavigationState = 'UNINITIALIZED' | 'ACTIVE' | 'INACTIVE'

/** A click toggles active and inactive (4.09). */
export const toggle = (state: SideNavigationState): SideNavigationState =>
  state === 'INACTIVE' ? 'ACTIVE' : 'INACTIVE'
