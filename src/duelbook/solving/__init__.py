"""What positions are worth: solvers, certificates, and the solutions that they find."""
