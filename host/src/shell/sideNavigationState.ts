/** 4.09: before the first click, in full width, collapsed. */
export type SideNavigationState = 'UNINITIALIZED' | 'ACTIVE' | 'INACTIVE'

/** A click toggles active and inactive (4.09). */
export const toggle = (state: SideNavigationState): SideNavigationState =>
  state === 'INACTIVE' ? 'ACTIVE' : 'INACTIVE'
