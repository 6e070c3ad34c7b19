import * as v from 'valibot'
import { Flag, optional, Origins, setting, Text } from './setting.ts'

/** Programs beside the web application. */
export const appsSettings = {
  uploaders: optional(
    'DMP_UPLOADERS',
    'Folder of the uploader programs (windows/dmp-uploader.exe, linux/dmp-uploader, macos/dmp-uploader.tar.gz, update/); ' +
      'where npm run build:uploader leaves them where left out',
    Text,
  ),
  viewer: setting(
    'DMP_VIEWER',
    'Viewer that View opens: quick or ohif',
    v.picklist(['quick', 'ohif'], 'is neither quick nor ohif'),
    { fallback: 'quick' },
  ),
  viewerUrl: optional('DMP_VIEWER_URL', 'Address template of another viewer', Text),
  bmdUrl: optional('DMP_BMD_URL', 'Address template of the bone-density app', Text),
  autometricsUrl: optional('DMP_AUTOMETRICS_URL', 'Address template of the Autometrics app', Text),
  dicomwebOrigins: setting(
    'DMP_DICOMWEB_ORIGINS',
    'Origins of web applications elsewhere, such as an OHIF, whose pages may use DICOMweb with a token',
    Origins,
    { fallback: '' },
  ),
  hideScanSearch: setting('DMP_HIDE_SCAN_SEARCH', 'Keeps the scan search out of the page address', Flag, {
    fallback: '0',
  }),
} as const
