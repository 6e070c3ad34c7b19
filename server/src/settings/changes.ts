import { Hosts, NetworkList, seconds, setting, whole } from './setting.ts'

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
  webhookNetworks: setting(
    'DMP_WEBHOOK_NETWORKS',
    'Networks that are not public, such as 10.20.0.0/16, and that webhooks may reach all the same, by https',
    NetworkList,
    { fallback: '' },
  ),
  webhookHosts: setting(
    'DMP_WEBHOOK_HOSTS',
    'Hosts, each with or without a port, that webhooks may reach wherever they are, at any port, and by http as well',
    Hosts,
    { fallback: '' },
  ),
} as const
