import { seconds, setting, whole } from './setting.ts'

/** What programs are told of scans. */
export const changesSettings = {
  quietSeconds: seconds(
    'DMP_QUIET_SECONDS',
    'Time without new images after which programs are told that a series is quiet',
    '60',
  ),
  changesDays: setting(
    'DMP_CHANGES_DAYS',
    'Days for which changes of scans are kept for programs that ask for them',
    whole(1, 3650),
    { fallback: '30' },
  ),
} as const
