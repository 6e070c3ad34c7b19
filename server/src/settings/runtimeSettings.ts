import type { RuntimeSettings } from '@dmp/contract/settings'
import type { Settings } from './settings.ts'

/** 1.01: the name of the product. */
export const applicationName = 'Data Management Platform'
/** Every call of the contract lies below it. */
export const apiRoot = '/api'
/** 9.12: the version in the footer. */
export const productVersion = 'v1.1.0'

const launch =
  '/launch?sessionId={sessionId}&datastore={dataStoreID}&StudyInstanceUIDs={studyUID}&ImageSetID={imageSetID}'
/** 7.42: the paths that such apps have; in demo mode a page of the server stands in for them. */
const demoApps = {
  bmd: '/dev/app/bmd/{organizationId}/{studyUID}/{seriesUID}?sessionId={sessionId}',
  autometrics: '/dev/app/autometrics/{organizationId}/{seriesUID}?sessionId={sessionId}',
}

/** The browser's share of the settings, served with the page. */
export function toRuntimeSettings(settings: Settings): RuntimeSettings {
  return {
    applicationName,
    productVersion,
    apiRoot,
    liveUrl: '/live',
    clientId: settings.clientId,
    isDemo: settings.isDemo,
    idle: {
      required: settings.idleRequired,
      idleMinutes: settings.idleMinutes,
      timeoutMinutes: settings.idleTimeoutMinutes,
    },
    mfaMinutes: settings.mfaMinutes,
    tokenCheckSeconds: settings.tokenCheckSeconds,
    tokenRenewBeforeSeconds: settings.tokenRenewBeforeSeconds,
    liveValidateSeconds: settings.liveValidateSeconds,
    pingSeconds: settings.pingSeconds,
    company: {
      name: settings.companyName,
      address: settings.companyAddress,
      website: settings.companyWebsite,
      ecRepAddress: settings.ecRepAddress,
      manufactureDate: settings.manufactureDate,
      udi: { number: settings.udiNumber, manufactureDate: settings.udiManufactureDate, version: settings.udiVersion },
      labelDocumentNumber: settings.labelDocumentNumber,
      manualLink: settings.manualLink,
      termsOfUse: settings.termsLink,
      year: settings.companyYear,
    },
    apps: {
      viewer: settings.viewerUrl ?? launch,
      bmd: settings.bmdUrl ?? (settings.isDemo ? demoApps.bmd : ''),
      autometrics: settings.autometricsUrl ?? (settings.isDemo ? demoApps.autometrics : ''),
    },
    hideScanSearch: settings.hideScanSearch,
    // As `hasBin` has it: an archive belongs to others, too.
    binDays: settings.dicomWebUrl === undefined ? settings.binDays : 0,
  }
}
