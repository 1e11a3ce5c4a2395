"""There Stand Empires: brigades of the Napoleonic wars."""
