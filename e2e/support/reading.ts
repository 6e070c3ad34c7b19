/**
 * Requests other than GET that change nothing which anybody else sees: the caller's own session, what opens a viewer or
 * a download, reports of errors, this browser's overrides, and reads that the specification made a POST.
 */
const harmless =
  /^\/(?:launch$|api\/(?:account\/(?:login|logout|renewToken|respondToMFA|announceLaunch)|Override\/(?:add|remove)|Email\/sendApplicationError|release\/report(?:Errors|Times)?|Scan\/(?:download|getUploader|getShared|openShared|watchShared|listShareable)|Organization\/listLicenses)(?:$|[/?]))/i

const written = /^\/(?:api|dicom-web|launch)(?:$|[/?])/i

/** Whether a request leaves the deployment as it was. */
export const isReading = (method: string, path: string): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase()) || !written.test(path) || harmless.test(path)
