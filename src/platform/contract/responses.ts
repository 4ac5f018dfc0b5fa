/** The result of a create operation that updated an existing resource instead. Sent with status 200. */
export class Updated<Resource> {
  readonly resource: Resource
  constructor(resource: Resource) {
    this.resource = resource
  }
}

export class FileResponse {
  readonly mediaType: string
  /** Changes with the content of the file. Sent as the ETag. */
  readonly version: string
  /** Called only if the caller does not have this version yet. */
  readonly make: () => Buffer | string

  constructor(mediaType: string, version: string, make: () => Buffer | string) {
    this.mediaType = mediaType
    this.version = version
    this.make = make
  }
}
