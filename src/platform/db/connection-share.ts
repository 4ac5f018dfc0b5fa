/** The connections to the database that one organisation uses at once while others send requests, too. */
export const connectionShare = (connections: number): number => Math.ceil(connections / 5)
